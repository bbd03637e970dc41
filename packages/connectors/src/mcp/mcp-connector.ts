import type { Connector, RequestTracer } from '@capstan/harness/connectors'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Clock } from '@capstan/harness/seams'
import type { Locks, SecretVault } from '@capstan/harness/stores'
import { ConfigurationError } from '@capstan/harness'
import { quietClock } from '@capstan/harness/seams'
import { createMemoryLocks } from '@capstan/harness/stores'
import type { ConnectionRow, ProposedMapping } from '@capstan/protocol'
import { VERSION } from '@capstan/protocol'
import { isHttpsUrl } from '@modelcontextprotocol/client'
import { createChangeListeners } from '../change-listeners.ts'
import { createActionLists } from './actions/action-lists.ts'
import { createServerActions } from './actions/server-actions.ts'
import { createServerProposals } from './actions/server-proposals.ts'
import { createServerSync } from './actions/server-sync.ts'
import { createServerWatch } from './actions/server-watch.ts'
import { createSafeErrors } from './outcomes/safe-errors.ts'
import type { McpServerConfig } from './servers/server-config.ts'
import type { ServerChanges } from './servers/server-changes.ts'
import { createServerChanges } from './servers/server-changes.ts'
import { createServerRegistry } from './servers/server-registry.ts'
import { createConnectionSessions } from './sessions/connection-sessions.ts'
import { createAccessTokens } from './sign-in/access-tokens.ts'
import { createSecretCache } from './sign-in/secret-cache.ts'
import { createSignIns } from './sign-in/sign-ins.ts'

/** Options of `createMcpConnector`. */
export interface McpConnectorOptions {
  readonly servers: readonly McpServerConfig[]
  readonly vault: SecretVault
  /** Keeps nodes that share the vault from renewing the same token. Default: this process is alone. */
  readonly locks?: Locks
  readonly clock?: Clock
  /** Confines servers that are programs on this machine. Without one they are not started. */
  readonly sandbox?: Sandbox
  /** Called with what the user of a server should know. Sanitized, and free of secrets. */
  readonly onProblem?: (problem: McpProblem) => void
  /** The name this program gives to servers and sign-in services. Default `Capstan`. */
  readonly clientName?: string
  /** An https address with a document about this program, for services that accept one in place of a registration. */
  readonly clientMetadataUrl?: string
  /** A session that is idle for this long is closed. Default 5 minutes. */
  readonly idleMs?: number
  /** To start or reach a server and complete the handshake. Default 30 seconds. */
  readonly openTimeoutMs?: number
  /** Follows requests, and sends servers the trace context of calls. Default: neither. */
  readonly tracer?: RequestTracer
  /** The longest call, whatever the caller allows. Default 10 minutes. */
  readonly callTimeoutMs?: number
  /** The least time between two changes of a server that are read while it is listened to. Default a second. */
  readonly paceMs?: number
}

/** Something about a server that its user should know. */
export interface McpProblem {
  readonly toolkit: string
  readonly message: string
}

/** A connector whose toolkits are MCP servers. Servers can be added and removed while it runs. */
export interface McpConnector extends Connector, ServerChanges {
  /**
   * Guesses how the items of a server become items in memory. Asks for its actions, and calls a few that only read. Rejects when
   * the server does not answer.
   */
  proposeMappings(connection: ConnectionRow, signal?: AbortSignal): Promise<readonly ProposedMapping[]>
}

const LIST_TIMEOUT_MS = 30_000
const NEVER = new AbortController().signal

/** Creates a connector that reaches MCP servers, over stdio and HTTP. Throws a `ConfigurationError`. */
export function createMcpConnector({
  servers: configured,
  vault,
  locks = createMemoryLocks(),
  clock = quietClock,
  sandbox,
  onProblem = () => {},
  clientName = 'Capstan',
  clientMetadataUrl,
  idleMs = 5 * 60_000,
  openTimeoutMs = 30_000,
  callTimeoutMs = 10 * 60_000,
  paceMs = 1_000,
  tracer,
}: McpConnectorOptions): McpConnector {
  if (clientMetadataUrl !== undefined && !isHttpsUrl(clientMetadataUrl)) {
    throw new ConfigurationError('clientMetadataUrl', 'must be https, with a path')
  }
  const listeners = createChangeListeners()
  const servers = createServerRegistry()
  const secrets = createSecretCache(vault, locks)
  const errors = createSafeErrors(secrets)
  const report = (toolkit: string, message: string) =>
    onProblem({ toolkit, message: secrets.redact(message, toolkit) })
  const sessions = createConnectionSessions({
    servers,
    secrets,
    tokens: createAccessTokens({ secrets, locks, clock }),
    clock,
    sandbox,
    client: { name: clientName, version: VERSION },
    idleMs,
    openTimeoutMs,
    listTimeoutMs: LIST_TIMEOUT_MS,
    onToolsChanged: listeners.notify,
  })
  const { notify: onChange } = listeners
  const lists = createActionLists({ clock, timeoutMs: LIST_TIMEOUT_MS, onProblem: report, onChange })
  const actions = createServerActions({ servers, sessions, lists, errors, callTimeoutMs, tracer })
  const signIns = createSignIns({
    servers,
    sessions,
    secrets,
    errors,
    clock,
    clientName,
    clientMetadataUrl,
    pingTimeoutMs: LIST_TIMEOUT_MS,
    list: (connection, signal) => actions.list(connection, signal),
    onProblem: report,
  })

  const changes = createServerChanges({ servers, secrets, sessions, lists, notify: onChange })
  for (const server of configured) changes.addServer(server)

  return {
    id: 'mcp',
    toolkits: () => Promise.resolve(servers.toolkits()),
    beginSignIn: (connection, signIn) => signIns.begin(connection, signIn),
    finishSignIn: (connection, callback) => signIns.finish(connection, callback),
    check: (connection, signal = NEVER) => signIns.check(connection, signal),
    actions: (connection, signal = NEVER) => actions.list(connection, signal),
    instructions: ({ toolkit }) => servers.get(toolkit) && servers.factsOf(toolkit).instructions,
    execute: (connection, action, args, call) => actions.execute(connection, action, args, call),
    syncSource: createServerSync({ servers, sessions, secrets, actions, callTimeoutMs }),
    watch: createServerWatch({ servers, sessions, secrets, clock, timeoutMs: LIST_TIMEOUT_MS, paceMs }),
    disconnect: (connection) => signIns.disconnect(connection),
    release: (connection) => sessions.release(connection),
    onChange: listeners.add,
    async close() {
      listeners.clear()
      lists.close()
      await sessions.close()
    },
    proposeMappings: createServerProposals({ sessions, secrets, actions, lists, callTimeoutMs }),
    ...changes,
  }
}
