import { ConfigurationError } from '@capstan/harness'
import { systemClock } from '@capstan/harness/seams'
import type { Connector } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import type { SecretVault } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import { createAccounts } from './accounts.ts'
import { listToolkits, toRow } from './catalogue.ts'
import { createComposioActions } from './composio-actions.ts'
import { createComposioSync } from './composio-sync.ts'
import { createAccount } from './create-account.ts'
import { createService } from './service.ts'
import type { ComposioTrigger, TriggerDelivery } from './trigger.ts'
import { parseTrigger } from './trigger.ts'

/** Options of `createComposioConnector`. */
export interface ComposioConnectorOptions {
  readonly apiKey: string
  /** Keeps the id of the account at Composio for each connection. */
  readonly vault: SecretVault
  readonly baseUrl?: string
  /** Default `composio`. */
  readonly id?: string
  /** The user's id at Composio. Default: the id here. */
  readonly userIdOf?: (connection: ConnectionRow) => string
  /** Auth configs by toolkit, for a client of one's own. Default: the project's first, or one that Composio manages. */
  readonly authConfigs?: Readonly<Record<string, string>>
  /** Versions by toolkit, such as `20250909_00`. Default: the version whose actions were listed last. */
  readonly toolkitVersions?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** Of one request. Default a minute. */
  readonly timeoutMs?: number
  /** The wait before the one retry of a call whose new token the app did not know yet. Default 8 seconds. */
  readonly authRetryMs?: number
  /** How long a sign-in may take to settle after the person is back. It may still settle later. Default 5 seconds. */
  readonly settleMs?: number
}

/** A connector whose toolkits are the apps of a Composio project. */
export interface ComposioConnector extends Connector {
  /**
   * Reads an event that Composio sent to a webhook. Throws when it is not signed with the secret, is too old, or is no
   * event. There is no `subscribe`: Composio's needs the socket of a third party.
   */
  parseTrigger(delivery: TriggerDelivery): Promise<ComposioTrigger>
}

/**
 * Creates a connector that reaches apps through Composio, which holds the tokens. Only the project's key is held here, and
 * nothing that is returned or thrown contains it. Composio reports no changes, so `onChange` never calls its listener.
 */
export function createComposioConnector(options: ComposioConnectorOptions): ComposioConnector {
  const { apiKey, vault, clock = systemClock, id = 'composio' } = options
  const { userIdOf = ({ userId }) => userId, authRetryMs = 8_000, settleMs = 5_000 } = options
  const { authConfigs = {}, toolkitVersions = {}, baseUrl, timeoutMs = 60_000 } = options
  if (apiKey.trim() === '') throw new ConfigurationError('apiKey', 'it is empty')
  const controller = new AbortController()
  const closing = controller.signal
  const service = createService({ apiKey, baseUrl, timeoutMs, clock, closing })
  const accounts = createAccounts({ service, vault, userIdOf, clock, settleMs, closing })
  const actions = createComposioActions({
    service,
    vault,
    accounts,
    clock,
    apiKey,
    userIdOf,
    toolkitVersions,
    authRetryMs,
    closing,
  })
  return {
    id,
    toolkits: async () => [...(await listToolkits(service))].map(([slug, one]) => toRow(slug, one, id)),
    beginSignIn: (connection, signIn) =>
      createAccount({ service, vault, userIdOf, authConfigs }, connection, signIn),
    finishSignIn: (connection, callback) => accounts.finishSignIn(connection, callback),
    check: (connection, signal) => accounts.check(connection, signal),
    adopt: (connection, others, signal) => accounts.adopt(connection, others, signal),
    actions: (connection, signal) => actions.list(connection, signal),
    execute: (connection, action, args, call) => actions.execute(connection, action, args, call),
    syncSource: createComposioSync(actions),
    disconnect: (connection) => accounts.disconnect(connection),
    onChange: () => () => {},
    parseTrigger: async (delivery) => parseTrigger(await service.sdk(), delivery),
    async close() {
      controller.abort(new Error('the connector was closed'))
    },
  }
}
