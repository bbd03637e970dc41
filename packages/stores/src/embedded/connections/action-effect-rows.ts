import type { ChosenEffect } from '@capstan/harness/stores'
import { readEffect, sealEffect } from '../../shared/connections/sealed-choices.ts'
import type { EffectColumns } from '../../shared/connections/sealed-choices.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Connection } from '../database/connection.ts'

/** The effects that users chose for actions. */
export interface ActionEffectRows {
  /** By action. A row with a wrong seal is `admin`: it may have raised the effect. */
  list(userId: string, toolkit: string): Map<string, ChosenEffect>
  put(userId: string, toolkit: string, action: string, chosen: ChosenEffect): void
  delete(userId: string, toolkit: string, action: string): void
}

export function createActionEffectRows(connection: Connection, seal: Seal): ActionEffectRows {
  const list = connection.prepare<EffectColumns>(
    'SELECT action, effect, digest, seal FROM action_effects WHERE user = ? AND toolkit = ? ORDER BY action',
  )
  const put = connection.prepare('INSERT OR REPLACE INTO action_effects VALUES (?, ?, ?, ?, ?, ?)')
  const remove = connection.prepare(
    'DELETE FROM action_effects WHERE user = ? AND toolkit = ? AND action = ?',
  )
  return {
    list: (userId, toolkit) =>
      new Map(list.all(userId, toolkit).map((row) => [row.action, readEffect(seal, userId, toolkit, row)])),
    put(userId, toolkit, action, chosen) {
      const sealed = sealEffect(seal, userId, toolkit, action, chosen)
      put.run(userId, toolkit, action, chosen.effect, chosen.digest, sealed)
    },
    delete: (userId, toolkit, action) => void remove.run(userId, toolkit, action),
  }
}
