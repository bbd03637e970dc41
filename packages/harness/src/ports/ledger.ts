import type { CallId, Origin, ParentCall, RunId, ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { Usage, WaitsFor } from '@capstan/protocol'
import type { BudgetLimits } from '../turn/budget.ts'
import type { JsonObject } from '../turn/json.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { Message, ToolMessage } from '../turn/message/message.ts'
import type { Effect } from '../turn/tool/tool.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import type { ApprovalRequest } from './approval-gate.ts'
import type { AuditRow } from './audit-log.ts'

/**
 * One thing that happened in a thread, in the form it is kept: plain JSON, except for the bytes of `media`. Whatever
 * a run needs to resume after a crash can be read from these, in their order.
 */
export type LedgerRecord = { readonly at: number } &
  /** Before the first run of a conversation: the thread's own, or a sub-agent's. */
  (
    | {
        readonly type: 'conversation-open'
        readonly conversationId: string
        readonly agent: string
        readonly system: string
      }
    | { readonly type: 'run-start'; readonly run: RunStart }
    /** Resumed after a crash or a wait. */
    | { readonly type: 'run-resume'; readonly runId: RunId }
    /** Joined the history. Results of calls come as `call-result`. */
    | { readonly type: 'message'; readonly runId: RunId; readonly message: Message }
    /** The history was compacted: these messages are the whole of it. */
    | { readonly type: 'history-replace'; readonly runId: RunId; readonly messages: readonly Message[] }
    /** What the conversation knows besides its tools, from here on. */
    | {
        readonly type: 'surface-announced'
        readonly conversationId: string
        readonly announced: readonly string[]
      }
    /** One model call was paid for. `elapsedMs`: what the turn has used of its wall clock. */
    | {
        readonly type: 'usage'
        readonly runId: RunId
        readonly model: string
        readonly usage: Usage
        readonly elapsedMs: number
      }
    /** A call that changes something is about to run. Without a result, it is unknown whether it did. */
    | {
        readonly type: 'call-intent'
        readonly runId: RunId
        readonly callId: CallId
        readonly tool: string
        readonly effect: Effect
        readonly digest: string
      }
    /** The result and the message the model reads of it. */
    | {
        readonly type: 'call-result'
        readonly runId: RunId
        readonly result: StoredResult
        readonly message: ToolMessage
        readonly effect?: Effect
        readonly polls?: true
        /** What the audit adds to it. */
        readonly audit?: Pick<AuditRow, 'decision' | 'effect' | 'digest'>
      }
    | { readonly type: 'approval-open'; readonly request: ApprovalRequest }
    /** The run waits, and so do the runs above it: up to `upTo`, or the whole turn. */
    | {
        readonly type: 'run-park'
        readonly runId: RunId
        readonly waitsFor: WaitsFor
        readonly upTo?: RunId
      }
    | { readonly type: 'run-end'; readonly runId: RunId; readonly outcome: TurnOutcome }
    /** A message to a running turn that the model has not seen yet. */
    | {
        readonly type: 'message-queue'
        readonly id: string
        readonly mode: 'steer' | 'follow-up'
        readonly text: string
      }
    /** The message is in the conversation now, or `refused` says why it never will be. */
    | { readonly type: 'message-dequeue'; readonly id: string; readonly refused?: string }
    | { readonly type: 'media'; readonly ref: string; readonly bytes: Uint8Array }
    /** An event as watchers receive it, with its number. */
    | { readonly type: 'event'; readonly event: TurnEvent }
  )

/** The records of one type, or of several. */
export type RecordOf<Type extends LedgerRecord['type']> = Extract<LedgerRecord, { readonly type: Type }>

const NO_BYTES = new Uint8Array(0)

/** The record as `Ledger.read` answers with it: the bytes of media are kept elsewhere and read by `readMedia`. */
export function withoutMediaBytes(record: LedgerRecord): LedgerRecord {
  return record.type === 'media' ? { ...record, bytes: NO_BYTES } : record
}

/** A result without its text, which is in the message, and its effect, which stands beside it. */
export type StoredResult = Omit<ToolResult, 'text' | 'media' | 'effect'>

/** What is known of a run when it starts. */
export interface RunStart {
  readonly runId: RunId
  /** The thread's id for a turn; for a sub-agent the id of its first run. */
  readonly conversationId: string
  readonly agent: string
  readonly depth: number
  readonly origin: Origin
  readonly model: string
  readonly parent?: ParentCall
  /** The name under which a parent continues a waiting sub-agent. */
  readonly name?: string
  /** A sub-agent that was started without waiting. Its report is a notice. */
  readonly isSpawned?: true
  /** What a sub-agent was set up with for its task. */
  readonly setup?: JsonObject
  /** Given by the client, so that a message delivered twice is one turn. Unique within its thread. */
  readonly messageId?: string
  /** The form of result that was asked for with the message, as JSON Schema. */
  readonly output?: JsonObject
  readonly budget: BudgetLimits
  /** What was asked, as a person reads it. */
  readonly text: string
}

/**
 * The durable log of threads: only ever appended to. Each commit is written whole or not at all, after everything
 * that was committed before. Rows for screens follow in the same transaction. Throws a `StoreError` and nothing else.
 */
export interface Ledger {
  /**
   * When it returns (or settles), a process that is killed loses none of it. The records of one commit belong to one
   * thread, which must exist. The events in it are numbered on from the last one; a gap or a repeat is refused.
   */
  commit(threadId: ThreadId, records: readonly LedgerRecord[]): MaybePromise<void>
  /**
   * Settles when a power cut cannot lose what was committed before. Calls that wait at the same time share one sync. With a
   * thread, it rejects with `lost` when the database has lost the end of that thread since.
   */
  sync(threadId?: ThreadId): MaybePromise<void>
  /**
   * Set for a database that may crash while this process goes on, and then loses commits that were not synced. Events are
   * announced after a sync, so that nobody has seen one that is lost and whose number is given to another.
   */
  readonly announceAfterSync?: true
  /** Everything that was committed, in order; empty for an unknown thread. The bytes of media are left empty. */
  read(threadId: ThreadId): MaybePromise<readonly LedgerRecord[]>
  /** Events numbered above `after`, in order, at most `limit` of them. */
  readEvents(threadId: ThreadId, after: number, limit?: number): MaybePromise<readonly TurnEvent[]>
  /** The number of the last event; 0 when there is none. */
  lastSeq(threadId: ThreadId): MaybePromise<number>
  readMedia(threadId: ThreadId, ref: string): MaybePromise<Uint8Array | undefined>
}
