import type { ConnectionStore } from '@capstan/harness/stores'
import {
  readEffect,
  readScopes,
  sealEffect,
  toScopeColumns,
} from '../../shared/connections/sealed-choices.ts'
import type { EffectColumns, ScopeColumns } from '../../shared/connections/sealed-choices.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Database } from '../database/database.ts'

type Choices = Pick<
  ConnectionStore,
  'scopes' | 'setScopes' | 'actionEffects' | 'setActionEffect' | 'knownActions' | 'rememberActions'
>

/** What users allow in each toolkit, and the actions they have seen. */
export function createChoices(database: Database, seal: Seal): Choices {
  return {
    async scopes(userId, toolkit) {
      const [row] = await database.read<ScopeColumns>(
        'SELECT read, write, admin, seal FROM scopes WHERE user_id = $1 AND toolkit = $2',
        [userId, toolkit],
      )
      return row ? readScopes(seal, userId, toolkit, row) : { read: true, write: true, admin: false }
    },
    async setScopes(userId, toolkit, settings) {
      const { read, write, admin, seal: sealed } = toScopeColumns(seal, userId, toolkit, settings)
      await database.write(
        `INSERT INTO scopes VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (user_id, toolkit) DO UPDATE
        SET read = excluded.read, write = excluded.write, admin = excluded.admin, seal = excluded.seal`,
        [userId, toolkit, read, write, admin, sealed],
      )
    },
    async actionEffects(userId, toolkit) {
      const rows = await database.read<EffectColumns>(
        'SELECT action, effect, digest, seal FROM action_effects WHERE user_id = $1 AND toolkit = $2 ORDER BY action',
        [userId, toolkit],
      )
      return new Map(rows.map((row) => [row.action, readEffect(seal, userId, toolkit, row)]))
    },
    async setActionEffect(userId, toolkit, action, chosen) {
      if (!chosen) {
        const sql = 'DELETE FROM action_effects WHERE user_id = $1 AND toolkit = $2 AND action = $3'
        await database.write(sql, [userId, toolkit, action])
        return
      }
      const sealed = sealEffect(seal, userId, toolkit, action, chosen)
      await database.write(
        `INSERT INTO action_effects VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (user_id, toolkit, action) DO UPDATE
        SET effect = excluded.effect, digest = excluded.digest, seal = excluded.seal`,
        [userId, toolkit, action, chosen.effect, chosen.digest, sealed],
      )
    },
    async knownActions(connectionId) {
      const rows = await database.read<{ action: string; digest: string }>(
        'SELECT action, digest FROM known_actions WHERE connection = $1 ORDER BY action',
        [connectionId],
      )
      return new Map(rows.map(({ action, digest }) => [action, digest]))
    },
    async rememberActions(connectionId, digests) {
      // Called after each use, mostly with known digests: then nothing is written. Sorted, so that two nodes do not lock
      // the same rows in another order.
      const actions = [...digests.keys()].toSorted()
      await database.write(
        `INSERT INTO known_actions SELECT $1, r.* FROM unnest($2::text[], $3::text[]) r ON CONFLICT (connection, action)
        DO UPDATE SET digest = excluded.digest WHERE known_actions.digest <> excluded.digest`,
        [connectionId, actions, actions.map((action) => digests.get(action))],
      )
    },
  }
}
