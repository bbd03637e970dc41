import type { SecretVault } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'

/** What the vault holds for a connection. The account's id is no secret, but it belongs to this connection alone. */
export interface StoredAccount {
  /** Composio's slug of the toolkit. */
  readonly toolkit: string
  /** Absent for a toolkit that needs no authorisation. */
  readonly account?: string
}

export async function readAccount(
  vault: SecretVault,
  { id }: ConnectionRow,
): Promise<StoredAccount | undefined> {
  const secret = await vault.read(id)
  const toolkit = secret?.['toolkit']
  const account = secret?.['account']
  if (typeof toolkit !== 'string') return undefined
  return { toolkit, ...(typeof account === 'string' && { account }) }
}

export async function writeAccount(
  vault: SecretVault,
  { id }: ConnectionRow,
  { toolkit, account }: StoredAccount,
): Promise<void> {
  await vault.write(id, { toolkit, ...(account !== undefined && { account }) })
}
