import type { Action } from '@capstan/harness/connectors'
import type { ConnectionRow } from '@capstan/protocol'
import type { CallForData } from '../../sync/mapped-source.ts'
import { readJson, requireRead, withNumbers } from '../../sync/read-action.ts'
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
    const args = withNumbers(wanted, requireRead(known, name))
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
