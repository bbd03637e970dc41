import type { SecretVault } from '@capstan/harness'
import type { ConnectionRow } from '@capstan/protocol'

/** What is kept of a connection. The account's id is no secret, but it belongs to this connection alone. */
export interface KeptAccount {
  /** By the service's slug for it. */
  readonly toolkit: string
  /** Absent for a toolkit that needs no authorisation. */
  readonly account?: string
}

export async function readKept(vault: SecretVault, { id }: ConnectionRow): Promise<KeptAccount | undefined> {
  const secret = await vault.read(id)
  const toolkit = secret?.['toolkit']
  const account = secret?.['account']
  if (typeof toolkit !== 'string') return undefined
  return { toolkit, ...(typeof account === 'string' && { account }) }
}

export async function writeKept(
  vault: SecretVault,
  { id }: ConnectionRow,
  { toolkit, account }: KeptAccount,
): Promise<void> {
  await vault.write(id, { toolkit, ...(account !== undefined && { account }) })
}
