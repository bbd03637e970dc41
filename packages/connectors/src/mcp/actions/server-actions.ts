import type { ToolOutcome } from '@capstan/harness'
import type { Action, ActionCall, RequestTracer } from '@capstan/harness/connectors'
import type { JsonObject } from '@capstan/harness/seams'
import { fail } from '@capstan/harness'
import type { ConnectionRow } from '@capstan/protocol'
import { untilAborted } from '../../until-aborted.ts'
import type { SafeErrors } from '../outcomes/safe-errors.ts'
import { toFailedOutcome } from '../outcomes/to-failed-outcome.ts'
import { toOutcome } from '../outcomes/to-outcome.ts'
import type { ServerRegistry } from '../servers/server-registry.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'
import type { Session } from '../sessions/session.ts'
import { traceRequest } from '../sessions/trace-request.ts'
import { isForgotten, isLost } from '../sessions/lost-connection.ts'
import type { ActionLists } from './action-lists.ts'

/** Lists and runs the actions of connections. `Connector` says what each of these promises. */
export interface ServerActions {
  list(connection: ConnectionRow, signal: AbortSignal): Promise<readonly Action[]>
  execute(connection: ConnectionRow, action: string, args: JsonObject, call: ActionCall): Promise<ToolOutcome>
}

export interface ServerActionsOptions {
  readonly servers: ServerRegistry
  readonly sessions: ConnectionSessions
  readonly lists: ActionLists
  readonly errors: SafeErrors
  readonly callTimeoutMs: number
  readonly tracer: RequestTracer | undefined
}

const IDEMPOTENCY_KEY = 'io.capstan/idempotency-key'

export function createServerActions(options: ServerActionsOptions): ServerActions {
  const { servers, sessions, lists, errors, callTimeoutMs, tracer } = options
  return {
    async list(connection, signal) {
      const server = servers.require(connection.toolkit)
      try {
        return await untilAborted(
          sessions.useWithRetry(
            connection,
            (session) => {
              const request = { method: 'tools/list', toolkit: server.slug, transport: server.transport.type }
              return traceRequest(tracer, request, () => lists.read(session, server, signal))
            },
            { isRepeatable: true },
          ),
          signal,
        )
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw errors.toRejection(error, connection)
      }
    },
    async execute(connection, action, args, { signal, idempotencyKey, caller }) {
      const { toolkit } = connection
      const transport = servers.get(toolkit)?.transport.type
      if (!transport) return fail('This server was removed.', { errorCode: 'not_connected' })
      const isRead = lists.effectOf(toolkit, action) === 'read'
      let isSent = false
      let used: Session | undefined
      const work = sessions.useWithRetry(
        connection,
        async (session) => {
          signal.throwIfAborted()
          isSent = true
          used = session
          const definition = lists.definitionOf(toolkit, action)
          return traceRequest(
            tracer,
            { method: 'tools/call', target: action, toolkit, transport, ...(caller && { caller }) },
            (context) =>
              session.call(
                { name: action, args, meta: { [IDEMPOTENCY_KEY]: idempotencyKey, ...context } },
                { signal, timeoutMs: callTimeoutMs, definition },
              ),
            ({ result }) => (result.isError ? 'tool_error' : undefined),
          )
        },
        { isRepeatable: isRead },
      )
      try {
        const outcome = toOutcome(await untilAborted(work, signal))
        return errors.redactOutcome(withRefusal(outcome, used), connection)
      } catch (error) {
        const outcome = withRefusal(toFailedOutcome(error, signal), used)
        // The connection broke or the session was lost while the server worked: whether the action was done is unknown.
        if (isSent && !isRead && !signal.aborted && (isLost(error) || isForgotten(error))) {
          const text = `${outcome.text} Whether the action was done is not known.`
          return errors.redactOutcome(fail(text, { interrupted: true }), connection)
        }
        return errors.redactOutcome(isSent ? outcome : { ...outcome, notStarted: true }, connection)
      }
    },
  }
}

/** A failure of a confined program often has its reason in the sandbox, which the program does not know. */
function withRefusal(outcome: ToolOutcome, session: Session | undefined): ToolOutcome {
  const refusal = outcome.ok ? undefined : session?.explainRefusal(outcome.text)
  return refusal === undefined ? outcome : { ...outcome, text: `${outcome.text}\n\n${refusal}` }
}
