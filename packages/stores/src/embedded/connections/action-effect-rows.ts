import type { Effect } from '@capstan/harness'
import type { ChosenEffect } from '@capstan/harness/stores'
import type { Connection } from '../database/connection.ts'
import type { Seal } from '../approvals/seal.ts'

/** The effects that users chose for actions. */
export interface ActionEffectRows {
  /** By action. A row with a wrong seal is `admin`: it may have raised the effect. */
  list(userId: string, toolkit: string): Map<string, ChosenEffect>
  put(userId: string, toolkit: string, action: string, chosen: ChosenEffect): void
  delete(userId: string, toolkit: string, action: string): void
}

interface Row {
  readonly action: string
  readonly effect: string
  readonly digest: string
  readonly seal: Uint8Array
}

export function createActionEffectRows(connection: Connection, seal: Seal): ActionEffectRows {
  const list = connection.prepare<Row>(
    'SELECT action, effect, digest, seal FROM action_effects WHERE user = ? AND toolkit = ? ORDER BY action',
  )
  const put = connection.prepare('INSERT OR REPLACE INTO action_effects VALUES (?, ?, ?, ?, ?, ?)')
  const remove = connection.prepare(
    'DELETE FROM action_effects WHERE user = ? AND toolkit = ? AND action = ?',
  )
  const sealed = (...texts: readonly string[]): readonly unknown[] => [
    'action effect',
    ...texts.map((text) => text.toWellFormed()),
  ]
  return {
    list: (userId, toolkit) =>
      new Map(
        list.all(userId, toolkit).map(({ action, effect, digest, seal: given }) => {
          const isGood = isEffect(effect) && seal.fits(sealed(userId, toolkit, action, effect, digest), given)
          return [action, { effect: isGood ? effect : 'admin', digest }]
        }),
      ),
    put(userId, toolkit, action, { effect, digest }) {
      put.run(
        userId,
        toolkit,
        action,
        effect,
        digest,
        seal.of(sealed(userId, toolkit, action, effect, digest)),
      )
    },
    delete: (userId, toolkit, action) => void remove.run(userId, toolkit, action),
  }
}

const isEffect = (effect: string): effect is Effect =>
  effect === 'read' || effect === 'write' || effect === 'admin'
