import type { Effect } from '@capstan/harness'
import type { ChosenEffect } from '@capstan/harness/stores'
import type { ScopeSettings } from '@capstan/protocol'
import type { Seal } from '../seal.ts'

/** The scopes of a toolkit as they are kept. */
export interface ScopeColumns {
  readonly read: number
  readonly write: number
  readonly admin: number
  readonly seal: Uint8Array
}

const NOTHING: ScopeSettings = { read: false, write: false, admin: false }

const scopeFields = (userId: string, toolkit: string, flags: readonly number[]): readonly unknown[] => [
  'scopes',
  userId.toWellFormed(),
  toolkit.toWellFormed(),
  ...flags,
]

/** The columns of the scopes that a user set. */
export function toScopeColumns(
  seal: Seal,
  userId: string,
  toolkit: string,
  scopes: ScopeSettings,
): ScopeColumns {
  const [read, write, admin] = [Number(scopes.read), Number(scopes.write), Number(scopes.admin)]
  return { read, write, admin, seal: seal.of(scopeFields(userId, toolkit, [read, write, admin])) }
}

/** Reads scopes. A row with a wrong seal allows nothing. */
export function readScopes(seal: Seal, userId: string, toolkit: string, row: ScopeColumns): ScopeSettings {
  const { read, write, admin } = row
  if (!seal.fits(scopeFields(userId, toolkit, [read, write, admin]), row.seal)) return { ...NOTHING }
  return { read: read === 1, write: write === 1, admin: admin === 1 }
}

/** The effect that a user chose for an action, as it is kept. */
export interface EffectColumns {
  readonly action: string
  readonly effect: string
  readonly digest: string
  readonly seal: Uint8Array
}

const effectFields = (...texts: readonly string[]): readonly unknown[] => [
  'action effect',
  ...texts.map((text) => text.toWellFormed()),
]

/** The seal of a chosen effect. */
export const sealEffect = (
  seal: Seal,
  userId: string,
  toolkit: string,
  action: string,
  { effect, digest }: ChosenEffect,
): Uint8Array => seal.of(effectFields(userId, toolkit, action, effect, digest))

/** Reads a chosen effect. A row with a wrong seal is `admin`: it may have raised the effect. */
export function readEffect(seal: Seal, userId: string, toolkit: string, row: EffectColumns): ChosenEffect {
  const { action, effect, digest } = row
  const isGood =
    isEffect(effect) && seal.fits(effectFields(userId, toolkit, action, effect, digest), row.seal)
  return { effect: isGood ? effect : 'admin', digest }
}

const isEffect = (effect: string): effect is Effect =>
  effect === 'read' || effect === 'write' || effect === 'admin'
