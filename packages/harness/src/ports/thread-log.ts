import type { RunId, ThreadId, TurnOutcome, Usage } from '@capstan/protocol'
import type { Message } from '../turn/message.ts'
import type { ToolResult } from '../turn/tool-result.ts'

/** One thing that happened in a thread, in the form it is kept. */
export type ThreadEntry = { readonly v: 1; readonly runId: RunId; readonly at: number } & (
  | { readonly type: 'run-start'; readonly agent: string; readonly depth: number }
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'result'; readonly result: ToolResult }
  | { readonly type: 'run-end'; readonly outcome: TurnOutcome }
)

/** Where a thread's story is kept, in order. Only ever appended to. */
export interface ThreadLog {
  append(threadId: ThreadId, entry: ThreadEntry): void | Promise<void>
  read(threadId: ThreadId): readonly ThreadEntry[] | Promise<readonly ThreadEntry[]>
}
