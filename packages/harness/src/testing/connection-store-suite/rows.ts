import type { ConnectionRow, ConnectionStatus } from '@capstan/protocol'
import type { SignInFlow } from '../../ports/connection-store.ts'

/** The user of most rows. */
export const USER = 'user_1'
/** A second user. */
export const OTHER_USER = 'user_2'
/** Texts that a store must not interpret. */
export const HOSTILE = [
  '__proto__',
  `it's "quoted"; DROP TABLE connections; --`,
  'é語😀 \u202eabc',
  'a\nb',
  '? $1 %s',
]
/** Every status of a connection. */
export const STATUSES: readonly ConnectionStatus[] = [
  'pending',
  'active',
  'expired',
  'failed',
  'revoked',
  'disconnected',
]

/** A connection to create, with fields to override. */
export const row = (id: string, more: Partial<ConnectionRow> = {}): Omit<ConnectionRow, 'isDefault'> => {
  const { isDefault: _, ...rest } = more
  return {
    id,
    userId: USER,
    connector: 'local',
    toolkit: 'notes',
    status: 'pending',
    label: '',
    createdAt: 1_000,
    updatedAt: 1_000,
    ...rest,
  }
}
/** A sign-in flow, with fields to override. */
export const flow = (stateHash: string, more: Partial<SignInFlow> = {}): SignInFlow => ({
  stateHash,
  connectionId: 'connection_1',
  userId: USER,
  browserHash: 'browser',
  redirectUri: 'http://127.0.0.1:8787/oauth/callback',
  createdAt: 1_000,
  expiresAt: 601_000,
  ...more,
})
/** The ids of connections. */
export const idsOf = (rows: readonly ConnectionRow[]) => rows.map(({ id }) => id)
/** The ids of default connections. */
export const defaultsOf = (rows: readonly ConnectionRow[]) => idsOf(rows.filter(({ isDefault }) => isDefault))
/** The error that the work throws, sync or async. */
export const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work()
  } catch (error) {
    return error
  }
  return undefined
}
