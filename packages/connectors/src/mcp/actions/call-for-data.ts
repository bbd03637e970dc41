import type { Action } from '@capstan/harness/connectors'
import { isRecord } from '@capstan/harness/connectors'
import type { JsonObject } from '@capstan/harness/seams'
import type { ConnectionRow } from '@capstan/protocol'
import type { CallForData } from '../../sync/mapped-source.ts'
import { untilAborted } from '../../until-aborted.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'

interface DataOptions {
  readonly timeoutMs: number
  /** Hides secrets in a text of the server. */
  readonly redact: (text: string) => string
  /** The actions of the connection. */
  readonly list: (signal: AbortSignal) => Promise<readonly Action[]>
}

/** Calls actions that only read, and answers with their structured data, or with what they wrote as text. Others are refused. */
export function createCallForData(
  sessions: ConnectionSessions,
  connection: ConnectionRow,
  { timeoutMs, redact, list }: DataOptions,
): CallForData {
  let known: ReadonlyMap<string, Action> | undefined
  return async (name, wanted, signal) => {
    known ??= new Map((await list(signal)).map((action) => [action.name, action]))
    const action = known.get(name)
    if (!action) throw new Error(`the server has no action "${name}"`)
    if (action.effect !== 'read') throw new Error(`"${name}" is not an action that only reads`)
    const args = withNumbers(wanted, action)
    const work = sessions.useWithRetry(
      connection,
      (session) => session.call({ name, args, meta: {} }, { signal, timeoutMs, definition: undefined }),
      { isRepeatable: true },
    )
    const { result } = await untilAborted(work, signal)
    const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
    if (result.isError) throw new Error(redact(text.slice(0, 300)) || `${name} failed`)
    // A server may repeat the token it was called with.
    return readJson(redact(result.structuredContent ? JSON.stringify(result.structuredContent) : text))
  }
}

/** Cursors are texts. An action that counts its pages takes a number. */
function withNumbers(args: JsonObject, { input }: Action): JsonObject {
  const properties = isRecord(input['properties']) ? input['properties'] : {}
  const toArgument = (name: string, value: JsonObject[string]): JsonObject[string] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const type = isRecord(property) ? property['type'] : undefined
    const isNumber = typeof value === 'string' && /^\d{1,15}$/.test(value)
    return isNumber && (type === 'number' || type === 'integer') ? Number(value) : value
  }
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toArgument(name, value)]))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
