import type { ConnectionRow, ConnectionStatus } from '@capstan/protocol'
import type { SignInFlow } from '../../ports/connection-store.ts'

export const USER = 'user_1'
export const OTHER_USER = 'user_2'
export const HOSTILE = [
  '__proto__',
  `it's "quoted"; DROP TABLE connections; --`,
  'é語😀 \u202eabc',
  'a\nb',
  '? $1 %s',
]
export const STATUSES: readonly ConnectionStatus[] = [
  'pending',
  'active',
  'expired',
  'failed',
  'revoked',
  'disconnected',
]

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
export const idsOf = (rows: readonly ConnectionRow[]) => rows.map(({ id }) => id)
export const defaultsOf = (rows: readonly ConnectionRow[]) => idsOf(rows.filter(({ isDefault }) => isDefault))
/** What it throws, at once or later. */
export const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work()
  } catch (error) {
    return error
  }
  return undefined
}
