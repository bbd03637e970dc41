import { sanitizeText } from '@capstan/harness/connectors'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Clock } from '@capstan/harness/seams'
import type { ConnectionRow } from '@capstan/protocol'
import { InsufficientScopeError, computeScopeUnion } from '@modelcontextprotocol/client'
import type { Challenge } from '../errors.ts'
import { SignInNeeded, findCause } from '../errors.ts'
import type { ServerRegistry } from '../servers/server-registry.ts'
import { urlOf } from '../servers/server-config.ts'
import type { AccessTokens } from '../sign-in/access-tokens.ts'
import type { SecretCache } from '../sign-in/secret-cache.ts'
import { ofServer } from '../sign-in/stored-sign-in.ts'
import { isForgotten, isLost, isUnsent } from './lost-connection.ts'
import type { Session } from './session.ts'
import { openSession } from './open-session.ts'
import { createSessionPool } from './session-pool.ts'
import { createUsedRows } from './used-rows.ts'

/** The session of each connection with its server. */
export interface ConnectionSessions {
  /** Runs `work` on the connection's session, which is opened when there is none. */
  use<T>(connection: ConnectionRow, work: (session: Session) => Promise<T>): Promise<T>
  /**
   * Like `use`, and once more on a new session when the old one turns out to be gone and `work` cannot have happened on
   * it. `isRepeatable`: also when it may have happened.
   */
  useWithRetry<T>(
    connection: ConnectionRow,
    work: (session: Session) => Promise<T>,
    options: { readonly isRepeatable: boolean },
  ): Promise<T>
  /**
   * Asks the server for its tools without a token. Answers with the challenge when the server wants a sign-in; otherwise
   * the session stays open. Rejects when the server cannot be reached.
   */
  probe(connection: ConnectionRow): Promise<Challenge | undefined>
  drop(connectionId: string): Promise<void>
  /** Another node changed the connection: its session is closed unless it can be used on. */
  release(connection: ConnectionRow): Promise<void>
  /** Closes every session with this server. */
  dropServer(slug: string): Promise<void>
  close(): Promise<void>
}

export interface ConnectionSessionsOptions {
  readonly servers: ServerRegistry
  readonly secrets: SecretCache
  readonly tokens: AccessTokens
  readonly clock: Clock
  readonly sandbox: Sandbox | undefined
  readonly client: { readonly name: string; readonly version: string }
  readonly idleMs: number
  readonly openTimeoutMs: number
  /** For the list that `probe` asks for. */
  readonly listTimeoutMs: number
  readonly onToolsChanged: (slug: string) => void
}

const INSTRUCTIONS_CHARS = 1_000
const LEGACY_FOR_MS = 60 * 60_000
const NEVER = new AbortController().signal

export function createConnectionSessions(options: ConnectionSessionsOptions): ConnectionSessions {
  const { servers, secrets, clock } = options
  const pool = createSessionPool({ clock, idleMs: options.idleMs })
  const usedRows = createUsedRows(pool)

  async function open(
    { id, toolkit }: ConnectionRow,
    { signal, isAnonymous }: { readonly signal: AbortSignal; readonly isAnonymous: boolean },
  ): Promise<Session> {
    const server = servers.require(toolkit)
    const facts = servers.factsOf(toolkit)
    const needsToken = !isAnonymous && server.auth !== 'none' && server.transport.type === 'http'
    if (needsToken) await checkServer(id, urlOf(server), secrets)
    const isLegacy = clock.now() < (facts.legacyUntil ?? 0)
    const session: Session = await openSession({
      server,
      clock,
      signal,
      ...(options.sandbox ? { sandbox: options.sandbox } : undefined),
      ...(isLegacy ? { prior: { kind: 'legacy' } as const } : undefined),
      client: options.client,
      openTimeoutMs: options.openTimeoutMs,
      ...(needsToken ? { auth: { tokens: options.tokens, connectionId: id } } : undefined),
      onToolsChanged: () => options.onToolsChanged(toolkit),
      onLost: () => void pool.drop(id, session),
    })
    facts.instructions = sanitizeText(session.instructions ?? '', INSTRUCTIONS_CHARS)
    facts.hasResources = session.hasResources
    if (!isLegacy && session.era === 'legacy') facts.legacyUntil = clock.now() + LEGACY_FOR_MS
    return session
  }

  const use = <T>(connection: ConnectionRow, work: (session: Session) => Promise<T>): Promise<T> => {
    usedRows.note(connection)
    return pool.use(connection.id, (signal) => open(connection, { signal, isAnonymous: false }), work)
  }

  /** Remembers what the server asked for, so that the next sign-in asks for it. */
  async function noteRefusal({ id, toolkit }: ConnectionRow, error: unknown): Promise<void> {
    const needed = findCause(error, SignInNeeded)
    if (needed) Object.assign(servers.factsOf(toolkit), { auth: 'oauth', challenge: needed.challenge })
    const refusal = findCause(error, InsufficientScopeError)
    if (!refusal) return
    await secrets.update(id, (stored) => {
      if (!stored) return undefined
      const wantedScope = computeScopeUnion(stored.scope, stored.tokens?.scope, refusal.requiredScope)
      return wantedScope === undefined ? undefined : { ...stored, wantedScope }
    })
  }

  return {
    use,
    async useWithRetry(connection, work, { isRepeatable }) {
      const had = pool.peek(connection.id)
      try {
        return await use(connection, work)
      } catch (error) {
        await noteRefusal(connection, error)
        const mayRepeat = isUnsent(error) || (isRepeatable && (isLost(error) || isForgotten(error)))
        if (had && (mayRepeat || isForgotten(error))) await pool.drop(connection.id)
        if (!had || !mayRepeat) throw error
        return use(connection, work)
      }
    },
    async probe(connection) {
      let session: Session | undefined
      try {
        session = await open(connection, { signal: NEVER, isAnonymous: true })
        // Some servers complete the handshake with anybody and ask for a token afterwards.
        await session.listPage(undefined, { timeoutMs: options.listTimeoutMs, signal: NEVER })
      } catch (error) {
        const needed = findCause(error, SignInNeeded)
        if (needed) {
          await session?.close()
          return needed.challenge
        }
        if (!session) throw error
      }
      const opened = session
      await usedRows.drop(connection.id)
      usedRows.note(connection)
      await pool.use(
        connection.id,
        () => Promise.resolve(opened),
        () => Promise.resolve(),
      )
      return undefined
    },
    drop: usedRows.drop,
    async release({ id, status }) {
      if (status !== 'active') await usedRows.drop(id)
    },
    dropServer: usedRows.dropServer,
    close: () => pool.close(),
  }
}

/** A token is never sent to a server that took the place of the one it was issued for. */
async function checkServer(connectionId: string, serverUrl: URL, secrets: SecretCache): Promise<void> {
  const stored = await secrets.read(connectionId)
  if (stored?.tokens && !ofServer(serverUrl, stored)) throw new SignInNeeded()
}
