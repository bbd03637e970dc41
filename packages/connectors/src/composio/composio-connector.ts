import { ConfigurationError, fail, systemClock } from '@capstan/harness'
import type {
  Action,
  ActionCall,
  Clock,
  ConnectionState,
  Connector,
  JsonObject,
  SecretVault,
  ToolOutcome,
} from '@capstan/harness'
import type { ConnectionRow } from '@capstan/protocol'
import { hideSecrets } from '../hide-secrets.ts'
import { pause } from '../pause.ts'
import { toConnectionState } from './account-state.ts'
import { beginSignIn, deleteAccount } from './begin-sign-in.ts'
import { listActions, listToolkits, toRow } from './catalogue.ts'
import { readKept } from './kept-account.ts'
import { ServiceError, createService } from './service.ts'
import { toAnsweredOutcome, toFailedOutcome } from './to-outcome.ts'
import type { ComposioTrigger, TriggerDelivery } from './trigger.ts'
import { parseTrigger } from './trigger.ts'

export interface ComposioConnectorOptions {
  readonly apiKey: string
  /** Keeps which account at Composio a connection is. */
  readonly vault: SecretVault
  readonly baseUrl?: string
  readonly id?: string
  /** Who a user is at Composio. Their id here unless said. */
  readonly userIdOf?: (connection: ConnectionRow) => string
  /** Auth configs by toolkit, for those who have a client of their own. Else the project's first, or a managed one. */
  readonly authConfigs?: Readonly<Record<string, string>>
  /** Versions by toolkit, such as `20250909_00`. Else the version whose actions were listed last. */
  readonly toolkitVersions?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** Of one request. A minute unless said. */
  readonly timeoutMs?: number
  /** An app may need a moment until it knows its own token: so long before the one further try. */
  readonly authRetryMs?: number
  /** How long a sign-in may take to settle once the person is back. It may still settle later. */
  readonly settleMs?: number
}

export interface ComposioConnector extends Connector {
  /**
   * An event that Composio sent to a webhook. Throws when it is not signed with the secret, is too old, or is none.
   * There is no `subscribe`: Composio's needs the socket of a third party.
   */
  parseTrigger(delivery: TriggerDelivery): Promise<ComposioTrigger>
}

/**
 * Apps by way of Composio, which holds the tokens. Here there is only the project's key, and it is in nothing that is
 * returned or thrown. Composio does not tell of changes: nobody ever hears of one.
 */
export function createComposioConnector(options: ComposioConnectorOptions): ComposioConnector {
  const { apiKey, vault, clock = systemClock, id = 'composio' } = options
  const { userIdOf = ({ userId }) => userId, authRetryMs = 8_000, settleMs = 5_000 } = options
  const { authConfigs = {}, toolkitVersions = {}, baseUrl, timeoutMs = 60_000 } = options
  if (apiKey.trim() === '') throw new ConfigurationError('apiKey', 'it is empty')
  const closing = new AbortController()
  const service = createService({ apiKey, baseUrl, timeoutMs, clock, closing: closing.signal })
  /** By the service's slug for a toolkit: what was listed last can be called, in the version that was shown. */
  const listed = new Map<string, ReadonlyMap<string, string>>()

  const check = async (connection: ConnectionRow, signal?: AbortSignal): Promise<ConnectionState> => {
    signal?.throwIfAborted()
    const kept = await readKept(vault, connection)
    if (!kept) return { status: 'failed', reason: 'No account at Composio is known for it.' }
    const { account } = kept
    if (account === undefined) return { status: 'active' }
    try {
      const found = await service.ask(
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

  /** The service may learn of a sign-in a moment after the person is back. */
  const settle = async (connection: ConnectionRow): Promise<ConnectionState> => {
    const deadline = clock.monotonic() + settleMs
    for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, 2_000)) {
      const state = await check(connection)
      const leftMs = deadline - clock.monotonic()
      if (state.status !== 'pending' || leftMs <= 0) return state
      await pause(clock, Math.min(waitMs, leftMs), closing.signal)
    }
  }

  const actions = async (connection: ConnectionRow, signal?: AbortSignal): Promise<readonly Action[]> => {
    signal?.throwIfAborted()
    const kept = await readKept(vault, connection)
    if (!kept) throw new Error('no account at Composio is known for this connection')
    const version = toolkitVersions[connection.toolkit]
    const found = await listActions(service, kept.toolkit, { version, signal })
    listed.set(kept.toolkit, found.versions)
    return found.actions
  }

  const callOnce = async (
    connection: ConnectionRow,
    action: string,
    args: JsonObject,
    { signal }: ActionCall,
  ): Promise<ToolOutcome> => {
    const kept = await readKept(vault, connection)
    if (!kept) return fail('No account at Composio is known for this connection.', { httpStatus: 401 })
    const { toolkit, account } = kept
    // Through a connection only its own toolkit can be called; asked for anew before anything is refused.
    if (!listed.get(toolkit)?.has(action)) await actions(connection, signal)
    const version = listed.get(toolkit)?.get(action)
    if (version === undefined)
      return fail('The app has no action of this name.', { errorCode: 'unknown_tool' })
    const body = {
      user_id: userIdOf(connection),
      ...(account !== undefined && { connected_account_id: account }),
      arguments: args,
      version: toolkitVersions[connection.toolkit] ?? version,
    }
    return service
      .tell((client, how) => client.tools.execute(action, body, how), signal)
      .then(toAnsweredOutcome, toOutcome)
  }

  /** What is known of a request that failed. Anything else goes on its way. */
  const toOutcome = (error: unknown): ToolOutcome => {
    if (error instanceof ServiceError) return toFailedOutcome(error.failure)
    throw error
  }

  const call = async (...asked: Parameters<typeof callOnce>): Promise<ToolOutcome> => {
    const outcome = await callOnce(...asked)
    if (outcome.httpStatus !== 401) return outcome
    // Nothing was done. If the service stands by the account, its token may only be too new for the app.
    const [connection, , , { signal }] = asked
    const { status } = await check(connection, signal)
    if (status !== 'active') return outcome
    await pause(clock, authRetryMs, AbortSignal.any([signal, closing.signal]))
    return callOnce(...asked)
  }

  return {
    id,
    toolkits: async () => [...(await listToolkits(service))].map(([slug, one]) => toRow(slug, one, id)),
    beginSignIn: (connection, signIn) =>
      beginSignIn({ service, vault, userIdOf, authConfigs }, connection, signIn),
    async finishSignIn(connection, { params }) {
      const state = await settle(connection)
      const isDenied = params.has('error') || DENIED.test(params.get('status') ?? '')
      if (state.status === 'active' || !isDenied) return state
      const declined = isDeclined(params) ? { reasonCode: 'declined' as const } : undefined
      if (state.status !== 'pending') return { ...state, ...declined }
      return { status: 'failed', reason: 'The sign-in was not completed.', ...declined }
    },
    check,
    actions,
    async execute(connection, action, args, how) {
      try {
        how.signal.throwIfAborted()
        const outcome = await call(connection, action, args, how)
        return { ...outcome, text: hideSecrets(outcome.text, [apiKey]) }
      } catch (error) {
        if (how.signal.aborted) return fail('It was stopped before it finished.', { cancelled: true })
        if (error instanceof ServiceError) return toFailedOutcome(error.failure)
        return fail('Composio could not be used.', { errorCode: 'service_unavailable' })
      }
    },
    async disconnect(connection) {
      try {
        const account = (await readKept(vault, connection))?.account
        if (account !== undefined) await deleteAccount(service, account)
      } catch {
        // What is left there can be removed at Composio; here it is forgotten all the same.
      }
      try {
        await vault.delete(connection.id)
      } catch {
        // The store says so itself to whoever asks it next.
      }
    },
    onChange: () => () => {},
    parseTrigger: async (delivery) => parseTrigger(await service.sdk(), delivery),
    async close() {
      closing.abort(new Error('the connector was closed'))
    },
  }
}

const DENIED = /^(?:failed|error|cancell?ed|denied)$/i

/** Whether it was the person who refused. */
const isDeclined = (params: URLSearchParams): boolean =>
  params.get('error') === 'access_denied' || /^(?:cancell?ed|denied)$/i.test(params.get('status') ?? '')
