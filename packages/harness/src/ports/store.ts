import type {
  AnswerReceipt,
  ApprovalRow,
  CallId,
  CallRow,
  Grant,
  GrantConstraints,
  QueueMode,
  RunId,
  RunRow,
  RunStatus,
  ThreadId,
  ThreadRow,
  Usage,
  UsageRow,
  WaitsFor,
  GivenAnswer,
} from '@capstan/protocol'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { AuditStore } from './audit-store.ts'
import type { ArtifactStore } from './artifact-store.ts'
import type { ConnectionStore } from './connection-store.ts'
import type { JobStore } from './job-store.ts'
import type { Ledger } from './ledger.ts'
import type { Locks } from './locks.ts'
import type { ThreadOwnership } from './thread-ownership.ts'
import type { UserMemory } from './user-memory.ts'

/** Everything that outlives a process. One owner at a time, unless it has `ownership`: then several nodes share it. */
export interface Store {
  readonly ledger: Ledger
  readonly threads: ThreadStore
  readonly runs: RunStore
  readonly approvals: ApprovalStore
  readonly artifacts: ArtifactStore
  readonly connections: ConnectionStore
  readonly audit: AuditStore
  /** What was seen in the apps of users. */
  readonly memory: UserMemory
  /** Work that is done without a person. */
  readonly jobs: JobStore
  /** Absent in a store that belongs to one process. */
  readonly ownership?: ThreadOwnership
  /** Locks among all nodes. Absent in a store that belongs to one process. */
  readonly locks?: Locks
  /** What a person should know about how it was opened: moved aside, migrated, restored. */
  readonly notices: readonly string[]
  close(): MaybePromise<void>
}

/** Threads: their rows, their queued messages and the search. */
export interface ThreadStore {
  /** Creates a thread. If the id is taken, it changes nothing and answers with the thread that is there. */
  create(thread: {
    readonly id: ThreadId
    readonly userId: string
    readonly title?: string
    readonly at: number
  }): MaybePromise<ThreadRow>
  get(id: ThreadId): MaybePromise<ThreadRow | undefined>
  /** Newest first by `updatedAt`. `before` is the `updatedAt` of the last thread of the page before. */
  list(query: ThreadQuery): MaybePromise<readonly ThreadRow[]>
  /** False when there is no such thread. A blank title is refused with a `StoreError` of kind `invalid`. */
  rename(id: ThreadId, title: string): MaybePromise<boolean>
  archive(id: ThreadId, archivedAt: number | undefined): MaybePromise<boolean>
  /** Undefined: the thread has the default. False when there is no such thread. */
  setQueueMode(id: ThreadId, mode: QueueMode | undefined): MaybePromise<boolean>
  /**
   * Deletes the thread with everything in it, and adds an audit line that says so. What its model calls cost stays in the
   * usage of its user. `at`: default now. False when there is no such thread.
   */
  delete(id: ThreadId, at?: number): MaybePromise<boolean>
  /** What the thread takes up: its records, its media and its artifacts. 0 when there is no such thread. */
  bytesOf(id: ThreadId): MaybePromise<number>
  /** Threads with queued messages that have not reached the model, oldest first. */
  withQueued(): MaybePromise<readonly ThreadRow[]>
  /** Threads whose title, questions or answers hold all the words (or beginnings of words), best first. */
  search(query: {
    readonly userId: string
    readonly words: string
    readonly limit?: number
  }): MaybePromise<readonly ThreadHit[]>
}

/** Which threads to list. */
export interface ThreadQuery {
  readonly userId: string
  /** Default: only those that are not archived. */
  readonly archived?: boolean
  readonly before?: number
  readonly limit?: number
}

/** A thread that a search found. */
export interface ThreadHit {
  readonly thread: ThreadRow
  /** The words around the first match, on one line. */
  readonly excerpt: string
}

/** Runs, their calls and what they cost. */
export interface RunStore {
  get(id: RunId): MaybePromise<RunRow | undefined>
  /** The turn a client's message became. */
  findByMessage(threadId: ThreadId, messageId: string): MaybePromise<RunRow | undefined>
  /**
   * Newest first; of runs that started in the same millisecond, the one that was committed last. Without `depth` runs of
   * sub-agents are listed, too. Throws a `StoreError` of kind `invalid` without a `userId`.
   */
  list(query: RunQuery): MaybePromise<readonly RunRow[]>
  /** Turns that are `running` or `waiting`, oldest first: depth 0 only. */
  unfinished(): MaybePromise<readonly RunRow[]>
  /** The turn of which a run waits for this: depth 0 only. */
  findWaiting(waitsFor: WaitsFor): MaybePromise<RunRow | undefined>
  /** The run itself and everything below it, parents first. */
  tree(id: RunId): MaybePromise<readonly RunRow[]>
  /** In the order they ended, or started if they have not. */
  calls(runIds: readonly RunId[]): MaybePromise<readonly CallRow[]>
  /** Per model, over one thread, or all of a user's with those that were deleted. */
  usage(query: {
    readonly userId: string
    readonly threadId?: ThreadId
    readonly since?: number
  }): MaybePromise<readonly UsageRow[]>
  /** Adds what a model call outside of threads cost, such as one that embedded items. */
  recordUsage(userId: string, used: OtherUsage): MaybePromise<void>
}

/** One model call outside of threads. */
export interface OtherUsage {
  readonly at: number
  readonly model: string
  readonly usage: Usage
}

/** Which runs to list. */
export interface RunQuery {
  readonly userId: string
  readonly threadId?: ThreadId
  readonly status?: RunStatus
  readonly depth?: number
  /**
   * The last run of the page before. The next page follows it exactly, also among runs of the same millisecond. If that
   * run was deleted, runs of its millisecond may be listed twice, and none is left out.
   */
  readonly cursor?: RunCursor
  /** Only runs that started before this time. */
  readonly before?: number
  readonly limit?: number
}

/** A place in a list of runs. Every `RunRow` is one. */
export type RunCursor = Pick<RunRow, 'id' | 'startedAt'>

/** An approval with what only the harness needs of it. */
export interface StoredApproval extends ApprovalRow {
  /** False when the row was edited outside of the store: then it counts for nothing. */
  readonly isIntact: boolean
  /** The call without cosmetic differences, hashed. */
  readonly signature: string
}

/** Questions to people, and their answers. */
export interface ApprovalStore {
  get(id: string): MaybePromise<StoredApproval | undefined>
  findByCall(runId: RunId, callId: CallId): MaybePromise<StoredApproval | undefined>
  /** The one that a message has answered. */
  findByMessage(threadId: ThreadId, messageId: string): MaybePromise<StoredApproval | undefined>
  /** Those of one turn's runs, oldest first. */
  ofRuns(runIds: readonly RunId[]): MaybePromise<readonly StoredApproval[]>
  /** Oldest first. `pending`: not answered and not expired. */
  list(query: {
    readonly userId: string
    readonly pending?: boolean
    readonly now: number
    readonly limit?: number
  }): MaybePromise<readonly StoredApproval[]>
  /**
   * The first answer counts; late and double answers change nothing. An answer after its time, or to a row that was
   * edited, makes it `expired`. A decision that gives a grant writes it in the same transaction; where none can be given,
   * `allow-once` is recorded. Constraints that do not narrow it are refused with a `StoreError` of kind `invalid`, and
   * the approval stays open. `messageId`: the message that gave the answer, kept with it.
   */
  answer(
    id: string,
    decision: GivenAnswer | 'withdrawn',
    at: number,
    constraints?: GrantConstraints,
    messageId?: string,
  ): MaybePromise<AnswerReceipt>
  /** Answers every overdue approval with `expired`. Answers with those. */
  expire(now: number): MaybePromise<readonly StoredApproval[]>
  /** When the next pending approval expires. */
  nextExpiry(): MaybePromise<number | undefined>
  /** The user's grants for tools of this name; some may have expired. `grantCovers` decides about a call. */
  findGrants(userId: string, tool: string): MaybePromise<readonly Grant[]>
  /** The user's grants that have not expired, oldest first. */
  listGrants(userId: string, now: number): MaybePromise<readonly Grant[]>
  /** False when the user has no such grant. */
  revokeGrant(userId: string, id: string, at?: number): MaybePromise<boolean>
}
