import type { Action, Connector } from '@capstan/harness/connectors'
import { isRecord } from '@capstan/harness/connectors'
import type { ConnectionRow } from '@capstan/protocol'
import type { CallForData } from '../sync/mapped-source.ts'
import { createMappedSource } from '../sync/mapped-source.ts'
import { readJson, requireRead, withNumbers } from '../sync/read-action.ts'
import { untilAborted } from '../until-aborted.ts'
import type { ComposioActions } from './composio-actions.ts'
import { SYNC_MAPPINGS } from './sync-mappings.ts'

const MOST_WRAPPERS = 2

/** What a sync of a connection reads: what the mapping of its toolkit names. */
export function createComposioSync(actions: ComposioActions): NonNullable<Connector['syncSource']> {
  return (connection) => {
    const mapping = SYNC_MAPPINGS.get(connection.toolkit)
    return mapping && createMappedSource(mapping, createCall(actions, connection))
  }
}

/** The app refused, or could not be asked. Carries what a sync needs to decide when to try again. */
class ActionFailed extends Error {
  override readonly name: string = 'ActionFailed'
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(text: string, status: number | undefined, retryAfterMs: number | undefined) {
    super(text)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** Calls actions that only read. The effect is that of the list of now, read once. */
function createCall(actions: ComposioActions, connection: ConnectionRow): CallForData {
  let known: ReadonlyMap<string, Action> | undefined
  return async (name, args, signal) => {
    known ??= new Map(
      (await untilAborted(actions.list(connection, signal), signal)).map((action) => [action.name, action]),
    )
    const action = requireRead(known, name)
    const call = { signal, idempotencyKey: '' }
    const work = actions.execute(connection, name, withNumbers(args, action), call)
    const outcome = await untilAborted(work, signal)
    signal.throwIfAborted()
    if (!outcome.ok) throw new ActionFailed(outcome.text, outcome.httpStatus, outcome.retryAfterMs)
    return unwrap(readJson(outcome.text))
  }
}

/** Some actions put the answer of the app into a field of their own. */
function unwrap(answer: unknown): unknown {
  let found = answer
  for (let depth = 0; depth < MOST_WRAPPERS && isRecord(found); depth++) {
    const inner = found['response_data'] ?? found['data']
    if (!isRecord(inner)) return found
    found = inner
  }
  return found
}
