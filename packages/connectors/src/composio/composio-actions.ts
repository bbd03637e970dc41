import { fail } from '@capstan/harness'
import type { ToolOutcome } from '@capstan/harness'
import type { Action, ActionCall } from '@capstan/harness/connectors'
import type { Clock, JsonObject } from '@capstan/harness/seams'
import type { SecretVault } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import { hideSecrets } from '../hide-secrets.ts'
import { pause } from '../pause.ts'
import type { Accounts } from './accounts.ts'
import { listActions } from './catalogue.ts'
import type { Service } from './service.ts'
import { ServiceError } from './service.ts'
import { readAccount } from './stored-account.ts'
import { toAnsweredOutcome, toFailedOutcome } from './to-outcome.ts'

/** Lists and runs actions. `Connector` says what each of these promises. */
export interface ComposioActions {
  list(connection: ConnectionRow, signal?: AbortSignal): Promise<readonly Action[]>
  execute(connection: ConnectionRow, action: string, args: JsonObject, call: ActionCall): Promise<ToolOutcome>
}

export interface ComposioActionsOptions {
  readonly service: Service
  readonly vault: SecretVault
  readonly accounts: Accounts
  readonly clock: Clock
  readonly apiKey: string
  readonly userIdOf: (connection: ConnectionRow) => string
  readonly toolkitVersions: Readonly<Record<string, string>>
  /** The wait before the one retry of a call whose token the app did not know. */
  readonly authRetryMs: number
  readonly closing: AbortSignal
}

export function createComposioActions(options: ComposioActionsOptions): ComposioActions {
  const { service, vault, closing } = options
  const wantedVersions = new Map(Object.entries(options.toolkitVersions))
  /** The versions of listed actions, by Composio's slug of their toolkit. A call uses the version that was shown. */
  const versions = new Map<string, ReadonlyMap<string, string>>()

  async function list(connection: ConnectionRow, signal?: AbortSignal): Promise<readonly Action[]> {
    signal?.throwIfAborted()
    const stored = await readAccount(vault, connection)
    if (!stored) throw new Error('no account at Composio is known for this connection')
    const version = wantedVersions.get(connection.toolkit)
    const found = await listActions(service, stored.toolkit, { version, signal })
    versions.set(stored.toolkit, found.versions)
    return found.actions
  }

  async function callOnce(
    connection: ConnectionRow,
    action: string,
    args: JsonObject,
    { signal }: ActionCall,
  ): Promise<ToolOutcome> {
    const stored = await readAccount(vault, connection)
    if (!stored) return fail('No account at Composio is known for this connection.', { httpStatus: 401 })
    const { toolkit, account } = stored
    // A connection can only call its own toolkit. The list is read again before an unknown action is refused.
    if (!versions.get(toolkit)?.has(action)) await list(connection, signal)
    const version = versions.get(toolkit)?.get(action)
    if (version === undefined)
      return fail('The app has no action of this name.', { errorCode: 'unknown_tool' })
    const body = {
      user_id: options.userIdOf(connection),
      ...(account !== undefined && { connected_account_id: account }),
      arguments: args,
      version: wantedVersions.get(connection.toolkit) ?? version,
    }
    return service
      .mutate((client, how) => client.tools.execute(action, body, how), signal)
      .then(toAnsweredOutcome, toOutcome)
  }

  async function callWithRetry(...call: Parameters<typeof callOnce>): Promise<ToolOutcome> {
    const outcome = await callOnce(...call)
    if (outcome.httpStatus !== 401) return outcome
    // Nothing was done. When Composio says the account is fine, its token may only be too new for the app.
    const [connection, , , { signal }] = call
    const { status } = await options.accounts.check(connection, signal)
    if (status !== 'active') return outcome
    await pause(options.clock, options.authRetryMs, AbortSignal.any([signal, closing]))
    return callOnce(...call)
  }

  return {
    list,
    async execute(connection, action, args, call) {
      try {
        call.signal.throwIfAborted()
        const outcome = await callWithRetry(connection, action, args, call)
        return { ...outcome, text: hideSecrets(outcome.text, [options.apiKey]) }
      } catch (error) {
        if (call.signal.aborted) return fail('It was stopped before it finished.', { cancelled: true })
        if (error instanceof ServiceError) return toFailedOutcome(error.failure)
        return fail('Composio could not be used.', { errorCode: 'service_unavailable' })
      }
    },
  }
}

/** What is known of a request that failed. Rethrows anything else. */
function toOutcome(error: unknown): ToolOutcome {
  if (error instanceof ServiceError) return toFailedOutcome(error.failure)
  throw error
}
