import type { ScopeSettings } from '@capstan/protocol'
import type { Connection } from '../database/connection.ts'
import type { Seal } from '../approvals/seal.ts'

/** The scopes that users set for a toolkit. */
export interface ScopeRows {
  /** A row with a wrong seal allows nothing. */
  get(userId: string, toolkit: string): ScopeSettings | undefined
  put(userId: string, toolkit: string, scopes: ScopeSettings): void
}

interface Row {
  readonly read: number
  readonly write: number
  readonly admin: number
  readonly seal: Uint8Array
}

const NOTHING: ScopeSettings = { read: false, write: false, admin: false }

export function createScopeRows(connection: Connection, seal: Seal): ScopeRows {
  const get = connection.prepare<Row>(
    'SELECT read, write, admin, seal FROM scopes WHERE user = ? AND toolkit = ?',
  )
  const put = connection.prepare('INSERT OR REPLACE INTO scopes VALUES (?, ?, ?, ?, ?, ?)')
  const fields = (userId: string, toolkit: string, flags: readonly number[]): readonly unknown[] => [
    'scopes',
    userId.toWellFormed(),
    toolkit.toWellFormed(),
    ...flags,
  ]
  return {
    get(userId, toolkit) {
      const row = get.get(userId, toolkit)
      if (!row) return undefined
      const { read, write, admin } = row
      if (!seal.fits(fields(userId, toolkit, [read, write, admin]), row.seal)) return { ...NOTHING }
      return { read: read === 1, write: write === 1, admin: admin === 1 }
    },
    put(userId, toolkit, scopes) {
      const flags = [scopes.read, scopes.write, scopes.admin].map(Number) as [number, number, number]
      put.run(userId, toolkit, ...flags, seal.of(fields(userId, toolkit, flags)))
    },
  }
}
