import type { ScopeSettings } from '@capstan/protocol'
import { readScopes, toScopeColumns } from '../../shared/connections/sealed-choices.ts'
import type { ScopeColumns } from '../../shared/connections/sealed-choices.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Connection } from '../database/connection.ts'

/** The scopes that users set for a toolkit. */
export interface ScopeRows {
  /** A row with a wrong seal allows nothing. */
  get(userId: string, toolkit: string): ScopeSettings | undefined
  put(userId: string, toolkit: string, scopes: ScopeSettings): void
}

export function createScopeRows(connection: Connection, seal: Seal): ScopeRows {
  const get = connection.prepare<ScopeColumns>(
    'SELECT read, write, admin, seal FROM scopes WHERE user = ? AND toolkit = ?',
  )
  const put = connection.prepare('INSERT OR REPLACE INTO scopes VALUES (?, ?, ?, ?, ?, ?)')
  return {
    get(userId, toolkit) {
      const row = get.get(userId, toolkit)
      return row && readScopes(seal, userId, toolkit, row)
    },
    put(userId, toolkit, scopes) {
      const columns = toScopeColumns(seal, userId, toolkit, scopes)
      put.run(userId, toolkit, columns.read, columns.write, columns.admin, columns.seal)
    },
  }
}
