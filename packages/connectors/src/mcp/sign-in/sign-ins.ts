import type { ConnectionState, SignIn, SignInCallback, SignInStep } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import type { ConnectionRow } from '@capstan/protocol'
import { untilAborted } from '../../until-aborted.ts'
import type { Challenge } from '../errors.ts'
import { CannotStart, SignInNeeded, findCause } from '../errors.ts'
import { explainReach } from '../outcomes/explain-reach.ts'
import type { SafeErrors } from '../outcomes/safe-errors.ts'
import { toFailedOutcome } from '../outcomes/to-failed-outcome.ts'
import type { McpServerConfig } from '../servers/server-config.ts'
import type { ServerRegistry } from '../servers/server-registry.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'
import { beginOAuth } from './begin-oauth.ts'
import type { SignInFailure } from './explain-sign-in-error.ts'
import { explainSignInError } from './explain-sign-in-error.ts'
import { finishOAuth } from './finish-oauth.ts'
import { revokeTokens } from './revoke-tokens.ts'
import type { StoredSignIn } from './stored-sign-in.ts'
import type { SecretCache } from './secret-cache.ts'

/** Signs connections in and out. `Connector` says what each of these promises. */
export interface SignIns {
  begin(connection: ConnectionRow, signIn: SignIn): Promise<SignInStep>
  finish(connection: ConnectionRow, callback: SignInCallback): Promise<ConnectionState>
  check(connection: ConnectionRow, signal: AbortSignal): Promise<ConnectionState>
  disconnect(connection: ConnectionRow): Promise<void>
}

export interface SignInsOptions {
  readonly servers: ServerRegistry
  readonly sessions: ConnectionSessions
  readonly secrets: SecretCache
  readonly errors: SafeErrors
  readonly clock: Clock
  readonly clientName: string
  readonly clientMetadataUrl: string | undefined
  readonly pingTimeoutMs: number
  /** Starts the server if it must, and lists its actions. */
  readonly list: (connection: ConnectionRow, signal: AbortSignal) => Promise<unknown>
  readonly onProblem: (slug: string, message: string) => void
}

const REJECTED: ConnectionState = {
  status: 'failed',
  reason: 'The server did not accept the sign-in as valid. Sign in again.',
  reasonCode: 'rejected',
}

const EXPIRED: ConnectionState = {
  status: 'expired',
  reason: 'The sign-in is no longer good. Connect the app again.',
  reasonCode: 'expired',
}

/** What the work rejects with, or undefined. */
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/**
 * Whether a sign-in was finished, and none is in progress or wanted. A server that asks for no sign-in must not connect
 * itself.
 */
const isSignedIn = (stored: StoredSignIn | undefined): boolean =>
  stored?.tokens !== undefined && stored.verifier === undefined && stored.wantedScope === undefined

const PENDING: ConnectionState = { status: 'pending' }

/** Whether the server wants a sign-in, or why it could not be asked. */
const probe = (
  connection: ConnectionRow,
  sessions: ConnectionSessions,
): Promise<{ readonly refused: Challenge | undefined } | SignInFailure> =>
  sessions.probe(connection).then(
    (refused) => ({ refused }),
    (error: unknown) => explainReach(error) ?? explainSignInError(error),
  )

function whyNotReady(error: unknown, { transport }: McpServerConfig, reason: string): SignInFailure {
  return (transport.type === 'http' ? explainReach(error) : undefined) ?? { reason }
}

async function beginAtService(
  { connection, server, signIn }: { connection: ConnectionRow; server: McpServerConfig; signIn: SignIn },
  options: SignInsOptions,
): Promise<SignInStep> {
  const { servers, sessions, secrets } = options
  const facts = servers.factsOf(server.slug)
  const probed = await probe(connection, sessions)
  if ('reason' in probed) return { type: 'settled', status: 'failed', ...probed }
  const { refused } = probed
  const hadSignIn = (await secrets.read(connection.id)) !== undefined
  if (!refused && !hadSignIn && (server.auth ?? facts.auth) !== 'oauth') {
    facts.auth = 'none'
    return { type: 'settled', status: 'active' }
  }
  facts.auth = 'oauth'
  const challenge = refused ?? facts.challenge ?? {}
  // What was opened without a token is of no use after the sign-in, which may end on another node.
  await sessions.drop(connection.id)
  const url = await beginOAuth({ connectionId: connection.id, server, signIn, challenge }, options)
  return { type: 'visit', url }
}

export function createSignIns(options: SignInsOptions): SignIns {
  const { servers, sessions, secrets, errors } = options

  /** Undefined when a session could be opened. */
  const openError = (connection: ConnectionRow): Promise<unknown> =>
    errorOf(sessions.use(connection, async () => {}))

  return {
    async begin(connection, signIn) {
      const server = servers.require(connection.toolkit)
      if (server.transport.type === 'stdio' || server.auth === 'none') {
        // It is ready when it has started and said what it can do.
        const error =
          (await openError(connection)) ??
          (await errorOf(options.list(connection, AbortSignal.timeout(options.pingTimeoutMs))))
        if (error === undefined) return { type: 'settled', status: 'active' }
        const why = whyNotReady(error, server, errors.toReason(error, connection))
        return { type: 'settled', status: 'failed', ...why }
      }
      secrets.remember(connection.id, signIn.state)
      try {
        return await beginAtService({ connection, server, signIn }, options)
      } catch (error) {
        return { type: 'settled', status: 'failed', ...explainSignInError(error) }
      }
    },
    async finish(connection, callback) {
      const server = servers.require(connection.toolkit)
      secrets.remember(connection.id, callback.params.get('code') ?? undefined)
      const finished = await finishOAuth({ connectionId: connection.id, server, callback }, options)
      if (!finished.ok) {
        const { ok: _, ...failure } = finished
        return { status: 'failed', ...failure }
      }
      await sessions.drop(connection.id) // it used the token of before
      const error = await openError(connection)
      // A server that is away for a moment does not spoil the sign-in; one that refuses the new token does.
      if (error !== undefined && toFailedOutcome(error).httpStatus === 401) {
        await secrets.delete(connection.id)
        return REJECTED
      }
      return { status: 'active', ...(finished.label === undefined ? undefined : { label: finished.label }) }
    },
    async check(connection, signal) {
      servers.require(connection.toolkit)
      const isPending = connection.status === 'pending'
      if (isPending && !isSignedIn(await secrets.read(connection.id))) return PENDING
      try {
        await untilAborted(
          sessions.useWithRetry(
            connection,
            (session) => session.ping({ timeoutMs: options.pingTimeoutMs, signal }),
            { isRepeatable: true },
          ),
          signal,
        )
        return { status: 'active' }
      } catch (error) {
        if (findCause(error, SignInNeeded) || toFailedOutcome(error).httpStatus === 401)
          return isPending ? PENDING : EXPIRED
        if (signal.aborted) throw signal.reason
        if (findCause(error, CannotStart))
          return { status: 'failed', reason: errors.toReason(error, connection) }
        throw errors.toRejection(error, connection)
      }
    },
    async disconnect(connection) {
      try {
        await sessions.drop(connection.id)
        const stored = await secrets.read(connection.id)
        await secrets.delete(connection.id)
        const server = servers.get(connection.toolkit)
        if (stored && server) await revokeTokens(stored, server)
      } catch (error) {
        const reason = errors.toReason(error, connection)
        options.onProblem(connection.toolkit, `could not be disconnected cleanly: ${reason}`)
      }
    },
  }
}
