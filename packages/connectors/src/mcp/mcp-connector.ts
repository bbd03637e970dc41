import type {
  ActionCall,
  Clock,
  ConnectionState,
  Connector,
  JsonObject,
  SecretVault,
  SignIn,
  SignInStep,
  ToolOutcome,
} from '@capstan/harness'
import { ConfigurationError, fail, quietClock, sanitizeLine } from '@capstan/harness'
import type { ConnectionRow, ToolkitRow } from '@capstan/protocol'
import { InsufficientScopeError, computeScopeUnion, isHttpsUrl } from '@modelcontextprotocol/client'
import { createChangeListeners } from '../change-listeners.ts'
import { untilAborted } from '../until-aborted.ts'
import { createActionLists } from './actions/action-lists.ts'
import { isLost, isUnsent } from './sessions/lost-connection.ts'
import { createGuardedFetch } from './transports/guarded-fetch.ts'
import type { Session } from './sessions/open-session.ts'
import { openSession } from './sessions/open-session.ts'
import type { Challenge } from './errors.ts'
import { SignInNeeded, findCause } from './errors.ts'
import { createSecretDesk } from './sign-in/secret-cache.ts'
import type { McpServerConfig } from './servers/server-config.ts'
import { checkServerConfig, secretsIn } from './servers/server-config.ts'
import { createSessions } from './sessions/sessions.ts'
import { createSignInDesk, ofServer } from './sign-in/sign-ins.ts'
import { explainSignInError } from './sign-in/explain-sign-in-error.ts'
import { toFailedOutcome, toOutcome } from './actions/to-outcome.ts'
import { createTokenKeeper } from './sign-in/access-tokens.ts'

export interface McpConnectorOptions {
  readonly servers: readonly McpServerConfig[]
  readonly vault: SecretVault
  readonly clock?: Clock
  /** Something about a server that its user should know. Cleaned, and free of secrets. */
  readonly onProblem?: (problem: McpProblem) => void
  /** How this program introduces itself. Default `Capstan`. */
  readonly clientName?: string
  /** An https address with a document about this program, for services that take one in place of a registration. */
  readonly clientMetadataUrl?: string
  /** A session nobody used for this long is closed. Default 5 minutes. */
  readonly idleMs?: number
  /** To start or reach a server and greet it. Default 30 seconds. */
  readonly openTimeoutMs?: number
  /** The longest call, whatever the caller allows. Default 10 minutes. */
  readonly callTimeoutMs?: number
}

export interface McpProblem {
  readonly toolkit: string
  readonly message: string
}

export interface McpConnector extends Connector {
  /** Throws a `ConfigurationError` for one that cannot work, or whose slug is taken. */
  addServer(config: McpServerConfig): void
  /** Closes what is open to it. False when there is no such server. */
  removeServer(slug: string): Promise<boolean>
  /** For a settings page: without headers, environment, arguments, query and secrets. */
  servers(): readonly McpServerSummary[]
}

export interface McpServerSummary {
  readonly slug: string
  readonly name: string
  readonly transport: 'http' | 'stdio'
  /** The URL, or the program. */
  readonly address: string
}

const IDEMPOTENCY_KEY = 'io.capstan/idempotency-key'
const VERSION = '0.1.0'
const LIST_TIMEOUT_MS = 30_000
const INSTRUCTIONS_CHARS = 240
const OLD_FOR_MS = 60 * 60_000
const NEVER = new AbortController().signal

/** MCP servers as toolkits. */
export function createMcpConnector({
  servers: configured,
  vault,
  clock = quietClock,
  onProblem = () => {},
  clientName = 'Capstan',
  clientMetadataUrl,
  idleMs = 5 * 60_000,
  openTimeoutMs = 30_000,
  callTimeoutMs = 10 * 60_000,
}: McpConnectorOptions): McpConnector {
  if (clientMetadataUrl !== undefined && !isHttpsUrl(clientMetadataUrl)) {
    throw new ConfigurationError('clientMetadataUrl', 'must be https, with a path')
  }
  const servers = new Map<string, McpServerConfig>()
  const known = new Map<string, Known>()
  const listeners = createChangeListeners()
  const desk = createSecretDesk(vault)
  const sessions = createSessions({ clock, idleMs })
  const toolkitOf = new Map<string, string>()
  const keeper = createTokenKeeper({
    desk,
    clock,
    fetchFor: (connectionId) => createGuardedFetch({ serverUrl: serverUrlOf(toolkitOf.get(connectionId)) }),
  })
  const lists = createActionLists({
    clock,
    timeoutMs: LIST_TIMEOUT_MS,
    onProblem: report,
    onChange: (toolkit) => listeners.tell(toolkit),
  })
  const signIns = createSignInDesk({ desk, clock, clientName, clientMetadataUrl })

  for (const server of configured) register(server)

  function register(server: McpServerConfig): void {
    checkServerConfig(server)
    if (servers.has(server.slug)) throw new ConfigurationError('slug', `"${server.slug}" is taken`)
    desk.remember(server.slug, ...secretsIn(server))
    servers.set(server.slug, server)
  }

  function serverUrlOf(slug: string | undefined): URL {
    const transport = slug === undefined ? undefined : servers.get(slug)?.transport
    if (transport?.type !== 'http') throw new TypeError('no such server')
    return new URL(transport.url)
  }

  function serverOf(connection: ConnectionRow): McpServerConfig {
    const server = servers.get(connection.toolkit)
    if (!server) throw new NoSuchServer(connection.toolkit)
    return server
  }

  const knownOf = (slug: string): Known => {
    let facts = known.get(slug)
    if (!facts) known.set(slug, (facts = {}))
    return facts
  }

  function report(toolkit: string, message: string): void {
    onProblem({ toolkit, message: desk.redact(message, toolkit) })
  }

  async function openFor(
    connection: ConnectionRow,
    signal: AbortSignal,
    isAnonymous = false,
  ): Promise<Session> {
    const server = serverOf(connection)
    const facts = knownOf(server.slug)
    toolkitOf.set(connection.id, server.slug)
    const needsToken = !isAnonymous && server.auth !== 'none' && server.transport.type === 'http'
    if (needsToken) await checkServerOf(connection)
    const isOld = clock.now() < (facts.oldUntil ?? 0)
    const session: Session = await openSession({
      server,
      clock,
      signal,
      ...(isOld ? { prior: { kind: 'legacy' } as const } : undefined),
      clientName,
      clientVersion: VERSION,
      openTimeoutMs,
      ...(needsToken ? { tokens: { keeper, connectionId: connection.id } } : undefined),
      onToolsChanged: () => listeners.tell(server.slug),
      onLost: () => void sessions.drop(connection.id, session),
    })
    facts.instructions = sanitizeLine(session.instructions ?? '', INSTRUCTIONS_CHARS)
    if (!isOld && session.era === 'legacy') facts.oldUntil = clock.now() + OLD_FOR_MS
    return session
  }

  /** Another server may have taken the place of the one somebody signed in to. */
  async function checkServerOf({ id, toolkit }: ConnectionRow): Promise<void> {
    const stored = await desk.read(id)
    if (stored?.tokens && !ofServer(serverUrlOf(toolkit), stored)) throw new SignInNeeded()
  }

  const using = <T>(connection: ConnectionRow, work: (session: Session) => Promise<T>): Promise<T> =>
    sessions.use(connection.id, (signal) => openFor(connection, signal), work)

  /** Once more on a new session when the old one turns out to be gone, if nothing can have happened on it. */
  async function usingTwice<T>(
    connection: ConnectionRow,
    work: (session: Session) => Promise<T>,
    mayRepeat: boolean,
  ): Promise<T> {
    const had = sessions.peek(connection.id)
    try {
      return await using(connection, work)
    } catch (error) {
      await noteRefusal(connection, error)
      if (!had || !(isUnsent(error) || (mayRepeat && isLost(error)))) throw error
      await sessions.drop(connection.id)
      return using(connection, work)
    }
  }

  /** The server refused for want of a token or of scope: the next sign-in asks for it. */
  async function noteRefusal(connection: ConnectionRow, error: unknown): Promise<void> {
    const needed = findCause(error, SignInNeeded)
    if (needed) Object.assign(knownOf(connection.toolkit), { auth: 'oauth', challenge: needed.challenge })
    const refusal = findCause(error, InsufficientScopeError)
    if (!refusal) return
    await desk.update(connection.id, (stored) => {
      if (!stored) return undefined
      const wantedScope = computeScopeUnion(stored.scope, stored.tokens?.scope, refusal.requiredScope)
      return wantedScope === undefined ? undefined : { ...stored, wantedScope }
    })
  }

  const redact = (text: string, { id, toolkit }: ConnectionRow) => desk.redact(text, id, toolkit)
  const clean = (outcome: ToolOutcome, connection: ConnectionRow): ToolOutcome => ({
    ...outcome,
    text: redact(outcome.text, connection),
  })

  /** Words for a person, from an error of a server. */
  const reasonOf = (error: unknown, connection: ConnectionRow): string =>
    redact(sanitizeLine(toFailedOutcome(error).text, 300), connection)

  /** For callers that are told of a failure by a rejection: without what a stranger wrote, beyond a cleaned bit. */
  function toRejection(error: unknown, connection: ConnectionRow): Error {
    const { httpStatus, retryAfterMs, errorCode } = toFailedOutcome(error)
    return Object.assign(new Error(`${connection.toolkit}: ${reasonOf(error, connection)}`), {
      ...(httpStatus === undefined ? undefined : { status: httpStatus }),
      ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
      ...(errorCode === undefined ? undefined : { code: errorCode }),
    })
  }

  async function tryOpen(connection: ConnectionRow): Promise<ConnectionState> {
    try {
      await using(connection, async () => {})
      return { status: 'active' }
    } catch (error) {
      return { status: 'failed', reason: reasonOf(error, connection) }
    }
  }

  /** What the server says to somebody without a token. One that lets us in is open from then on. */
  async function knock(connection: ConnectionRow): Promise<Challenge | undefined> {
    let session: Session | undefined
    try {
      session = await openFor(connection, NEVER, true)
      // Some greet everybody and ask who it is afterwards.
      await session.listPage(undefined, { timeoutMs: LIST_TIMEOUT_MS, signal: NEVER })
    } catch (error) {
      const needed = findCause(error, SignInNeeded)
      if (needed) {
        await session?.close()
        return needed.challenge
      }
      if (!session) throw error
    }
    const opened = session
    await sessions.drop(connection.id)
    await sessions.use(
      connection.id,
      () => Promise.resolve(opened),
      () => Promise.resolve(),
    )
    return undefined
  }

  async function beginSignIn(connection: ConnectionRow, signIn: SignIn): Promise<SignInStep> {
    const server = serverOf(connection)
    if (server.transport.type === 'stdio' || server.auth === 'none') {
      return { type: 'settled', ...(await tryOpen(connection)) }
    }
    desk.remember(connection.id, signIn.state)
    try {
      const facts = knownOf(server.slug)
      const challenge = await knock(connection)
      const hadSignIn = (await desk.read(connection.id)) !== undefined
      if (!challenge && !hadSignIn && (server.auth ?? facts.auth) !== 'oauth') {
        facts.auth = 'none'
        return { type: 'settled', status: 'active' }
      }
      facts.auth = 'oauth'
      const url = await signIns.begin(connection.id, server, signIn, challenge ?? facts.challenge ?? {})
      return { type: 'visit', url }
    } catch (error) {
      return { type: 'settled', status: 'failed', reason: explainSignInError(error) }
    }
  }

  async function execute(
    connection: ConnectionRow,
    action: string,
    args: JsonObject,
    { signal, idempotencyKey }: ActionCall,
  ): Promise<ToolOutcome> {
    const isRead = lists.effectOf(connection.toolkit, action) === 'read'
    let isSent = false
    const work = usingTwice(
      connection,
      async (session) => {
        signal.throwIfAborted()
        isSent = true
        return session.call(
          { name: action, args, meta: { [IDEMPOTENCY_KEY]: idempotencyKey } },
          { signal, timeoutMs: callTimeoutMs, definition: lists.definitionOf(connection.toolkit, action) },
        )
      },
      isRead,
    )
    try {
      return clean(toOutcome(await untilAborted(work, signal)), connection)
    } catch (error) {
      const outcome = toFailedOutcome(error, signal)
      // The line broke while the server was at it: nobody knows whether it was done.
      if (isSent && !isRead && !signal.aborted && isLost(error)) {
        return fail(`${outcome.text} Whether the action was done is not known.`, { interrupted: true })
      }
      return clean(outcome, connection)
    }
  }

  return {
    id: 'mcp',
    toolkits: () =>
      Promise.resolve([...servers.values()].map((server) => toToolkit(server, known.get(server.slug)))),
    beginSignIn,
    async finishSignIn(connection, callback) {
      const server = serverOf(connection)
      toolkitOf.set(connection.id, server.slug)
      desk.remember(connection.id, callback.params.get('code') ?? undefined)
      const { ok, reason, label } = await signIns.finish(connection.id, server, callback)
      if (!ok) return { status: 'failed', ...(reason === undefined ? undefined : { reason }) }
      await sessions.drop(connection.id) // it spoke with the token of before
      try {
        await using(connection, async () => {})
      } catch (error) {
        // A server that is away for a moment does not make the sign-in bad; one that refuses the new token does.
        if (toFailedOutcome(error).httpStatus === 401) {
          await desk.delete(connection.id)
          return {
            status: 'failed',
            reason: 'The server did not accept the sign-in as valid. Sign in again.',
          }
        }
      }
      return { status: 'active', ...(label === undefined ? undefined : { label }) }
    },
    async check(connection, signal = NEVER) {
      serverOf(connection)
      try {
        await untilAborted(
          usingTwice(connection, (session) => session.ping({ timeoutMs: LIST_TIMEOUT_MS, signal }), true),
          signal,
        )
        return { status: 'active' }
      } catch (error) {
        if (findCause(error, SignInNeeded) || toFailedOutcome(error).httpStatus === 401) {
          return { status: 'expired', reason: 'The sign-in is no longer good. Connect the app again.' }
        }
        if (signal.aborted) throw signal.reason
        throw toRejection(error, connection)
      }
    },
    async actions(connection, signal = NEVER) {
      const server = serverOf(connection)
      try {
        return await untilAborted(
          usingTwice(connection, (session) => lists.read(session, server, signal), true),
          signal,
        )
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw toRejection(error, connection)
      }
    },
    execute: (connection, action, args, call) =>
      servers.has(connection.toolkit)
        ? execute(connection, action, args, call)
        : Promise.resolve(fail('This server was removed.', { errorCode: 'not_connected' })),
    async disconnect(connection) {
      try {
        await sessions.drop(connection.id)
        const stored = await desk.read(connection.id)
        await desk.delete(connection.id)
        const server = servers.get(connection.toolkit)
        if (stored && server) await signIns.revoke(stored, server)
      } catch (error) {
        report(connection.toolkit, `could not be disconnected cleanly: ${reasonOf(error, connection)}`)
      } finally {
        toolkitOf.delete(connection.id)
      }
    },
    onChange: (listener) => listeners.add(listener),
    async close() {
      listeners.clear()
      lists.close()
      await sessions.close()
    },
    servers: () => [...servers.values()].map(toSummary),
    addServer(config) {
      register(config)
      listeners.tell(config.slug)
    },
    async removeServer(slug) {
      if (!servers.delete(slug)) return false
      lists.forget(slug)
      known.delete(slug)
      const open = [...toolkitOf].filter(([, toolkit]) => toolkit === slug).map(([id]) => id)
      await Promise.all(open.map((id) => sessions.drop(id)))
      listeners.tell(slug)
      return true
    },
  }
}

/** What was learned of a server while it was in use. */
interface Known {
  instructions?: string
  /** It spoke the older revision of the protocol, and is not asked before then whether it knows the newer one. */
  oldUntil?: number
  auth?: 'none' | 'oauth'
  /** Of a refusal that came after the greeting. */
  challenge?: Challenge
}

class NoSuchServer extends Error {
  override readonly name = 'NoSuchServer'

  constructor(toolkit: string) {
    super(`there is no MCP server "${toolkit}"`)
  }
}

const nameOf = ({ name, slug }: McpServerConfig): string =>
  name ?? slug.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

function toSummary(server: McpServerConfig): McpServerSummary {
  const { slug, transport } = server
  const named = { slug, name: nameOf(server), transport: transport.type }
  if (transport.type === 'stdio') return { ...named, address: transport.command }
  const { origin, pathname } = new URL(transport.url)
  return { ...named, address: origin + pathname }
}

function toToolkit(server: McpServerConfig, facts: Known | undefined): ToolkitRow {
  const name = nameOf(server)
  const found = server.transport.type === 'stdio' ? 'none' : (facts?.auth ?? 'oauth')
  return {
    slug: server.slug,
    name,
    description: server.description ?? (facts?.instructions || `Actions of the MCP server ${name}.`),
    connector: 'mcp',
    auth: server.auth ?? found,
  }
}
