import type { ConnectionState, SignInCallback } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import type { SecretVault } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import { pause } from '../pause.ts'
import { toConnectionState } from './account-state.ts'
import { authOf, listToolkits } from './catalogue.ts'
import { deleteAccount } from './create-account.ts'
import type { Service } from './service.ts'
import { ServiceError } from './service.ts'
import { readAccount, writeAccount } from './stored-account.ts'

/** The accounts at Composio behind connections. `Connector` says what each of these promises. */
export interface Accounts {
  check(connection: ConnectionRow, signal?: AbortSignal): Promise<ConnectionState>
  /** Ties the connection to an account of its user that was connected elsewhere. Undefined when there is none. */
  adopt(
    connection: ConnectionRow,
    others: readonly ConnectionRow[],
    signal?: AbortSignal,
  ): Promise<ConnectionState | undefined>
  finishSignIn(connection: ConnectionRow, callback: SignInCallback): Promise<ConnectionState>
  disconnect(connection: ConnectionRow): Promise<void>
}

export interface AccountsOptions {
  readonly service: Service
  readonly vault: SecretVault
  readonly userIdOf: (connection: ConnectionRow) => string
  readonly clock: Clock
  /** How long a sign-in may take to settle after the person is back. */
  readonly settleMs: number
  readonly closing: AbortSignal
}

const DENIED = /^(?:failed|error|cancell?ed|denied)$/i

export function createAccounts(options: AccountsOptions): Accounts {
  const { service, vault, userIdOf, clock, settleMs, closing } = options
  async function check(connection: ConnectionRow, signal?: AbortSignal): Promise<ConnectionState> {
    signal?.throwIfAborted()
    const stored = await readAccount(vault, connection)
    if (!stored && connection.status === 'pending') return { status: 'pending' }
    if (!stored) return { status: 'failed', reason: 'No account at Composio is known for it.' }
    const { account } = stored
    if (account === undefined) return { status: 'active' }
    try {
      const found = await service.query(
        (client, how) => client.connectedAccounts.retrieve(account, how),
        signal,
      )
      return toConnectionState(found)
    } catch (error) {
      const isGone = error instanceof ServiceError && [404, 410].includes(error.failure.status ?? 0)
      if (isGone) return { status: 'revoked', reason: 'The account is no longer there at Composio.' }
      throw error
    }
  }

  /** Composio may learn of a sign-in a moment after the person is back. */
  async function waitUntilSettled(connection: ConnectionRow): Promise<ConnectionState> {
    const deadline = clock.monotonic() + settleMs
    for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, 2_000)) {
      const state = await check(connection)
      const leftMs = deadline - clock.monotonic()
      if (state.status !== 'pending' || leftMs <= 0) return state
      await pause(clock, Math.min(waitMs, leftMs), closing)
    }
  }

  return {
    check,
    async adopt(connection, others, signal) {
      const toolkit = (await listToolkits(service)).get(connection.toolkit)
      if (!toolkit || authOf(toolkit) === 'none') return undefined
      const { items } = await service.query(
        (client, how) =>
          client.connectedAccounts.list(
            { user_ids: [userIdOf(connection)], toolkit_slugs: [toolkit.slug], statuses: ['ACTIVE'] },
            how,
          ),
        signal,
      )
      const taken = await Promise.all(others.map(async (other) => (await readAccount(vault, other))?.account))
      const found = items.find(
        (account) => toConnectionState(account).status === 'active' && !taken.includes(account.id),
      )
      if (!found) return undefined
      await writeAccount(vault, connection, { toolkit: toolkit.slug, account: found.id })
      return toConnectionState(found)
    },
    async finishSignIn(connection, { params }) {
      const state = await waitUntilSettled(connection)
      const isDenied = params.has('error') || DENIED.test(params.get('status') ?? '')
      if (state.status === 'active' || !isDenied) return state
      const declined = isDeclined(params) ? { reasonCode: 'declined' as const } : undefined
      if (state.status !== 'pending') return { ...state, ...declined }
      return { status: 'failed', reason: 'The sign-in was not completed.', ...declined }
    },
    async disconnect(connection) {
      try {
        const account = (await readAccount(vault, connection))?.account
        if (account !== undefined) await deleteAccount(service, account)
      } catch {
        // The account can be removed at Composio by hand; here it is forgotten in any case.
      }
      try {
        await vault.delete(connection.id)
      } catch {
        // The store reports its own failures.
      }
    },
  }
}

/** Whether it was the person who refused. */
const isDeclined = (params: URLSearchParams): boolean =>
  params.get('error') === 'access_denied' || /^(?:cancell?ed|denied)$/i.test(params.get('status') ?? '')
