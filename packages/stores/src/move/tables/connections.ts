import {
  readEffect,
  readScopes,
  sealEffect,
  toScopeColumns,
} from '../../shared/connections/sealed-choices.ts'
import type { EffectColumns, ScopeColumns } from '../../shared/connections/sealed-choices.ts'
import { NO_SEAL, withoutNul } from '../copy-table.ts'
import type { TableCopy } from '../copy-table.ts'
import { rowsOf } from '../source.ts'
import { valuesOf } from './threads.ts'

interface ConnectionColumns {
  readonly no: number
  readonly id: string
  readonly user: string
  readonly connector: string
  readonly toolkit: string
  readonly status: string
  readonly label: string
  readonly is_default: number
  readonly created_at: number
  readonly updated_at: number
  readonly reason: string | null
  readonly reason_code: string | null
}

export const CONNECTIONS: TableCopy = {
  table: 'connections',
  columns: {
    no: 'bigint',
    id: 'text',
    user_id: 'text',
    connector: 'text',
    toolkit: 'text',
    status: 'text',
    label: 'text',
    is_default: 'boolean',
    created_at: 'double precision',
    updated_at: 'double precision',
    reason: 'text',
    reason_code: 'text',
  },
  *rows({ source }) {
    const sql = 'SELECT * FROM connections ORDER BY no'
    for (const row of rowsOf<ConnectionColumns>(source.connection, sql)) {
      const { no, id, user, connector, toolkit, status, created_at, updated_at, reason_code } = row
      const reason = row.reason === null ? null : withoutNul(row.reason)
      yield [
        no,
        id,
        user,
        connector,
        toolkit,
        status,
        withoutNul(row.label),
        row.is_default === 1,
        created_at,
        updated_at,
        reason,
        reason_code,
      ]
    }
  },
}

export const SIGN_IN_FLOWS: TableCopy = {
  table: 'sign_in_flows',
  columns: {
    state_hash: 'text',
    connection: 'text',
    user_id: 'text',
    browser_hash: 'text',
    redirect_uri: 'text',
    created_at: 'double precision',
    expires_at: 'double precision',
  },
  rows: (context) =>
    valuesOf(
      context,
      'SELECT state_hash, connection, user, browser_hash, redirect_uri, created_at, expires_at FROM sign_in_flows',
    ),
}

type OfToolkit = { readonly user: string; readonly toolkit: string }

export const SCOPES: TableCopy = {
  table: 'scopes',
  columns: {
    user_id: 'text',
    toolkit: 'text',
    read: 'integer',
    write: 'integer',
    admin: 'integer',
    seal: 'bytea',
  },
  *rows({ source, keys }) {
    for (const row of rowsOf<ScopeColumns & OfToolkit>(source.connection, 'SELECT * FROM scopes')) {
      const { user, toolkit } = row
      // One whose seal does not fit reads as nothing allowed, and stays that.
      const columns = toScopeColumns(keys.seal, user, toolkit, readScopes(source.seal, user, toolkit, row))
      yield [user, toolkit, columns.read, columns.write, columns.admin, columns.seal]
    }
  },
}

export const ACTION_EFFECTS: TableCopy = {
  table: 'action_effects',
  columns: {
    user_id: 'text',
    toolkit: 'text',
    action: 'text',
    effect: 'text',
    digest: 'text',
    seal: 'bytea',
  },
  *rows({ source, keys }) {
    for (const row of rowsOf<EffectColumns & OfToolkit>(source.connection, 'SELECT * FROM action_effects')) {
      const { user, toolkit, action, effect, digest } = row
      const chosen = readEffect(source.seal, user, toolkit, row)
      const isIntact = chosen.effect === effect
      const sealed = isIntact ? sealEffect(keys.seal, user, toolkit, action, chosen) : NO_SEAL
      yield [user, toolkit, action, effect, digest, sealed]
    }
  },
}

export const KNOWN_ACTIONS: TableCopy = {
  table: 'known_actions',
  columns: { connection: 'text', action: 'text', digest: 'text' },
  rows: (context) => valuesOf(context, 'SELECT connection, action, digest FROM known_actions'),
}
