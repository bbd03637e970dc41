import type { ThreadId } from '@capstan/protocol'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/**
 * Which node may write to a thread, for stores that several nodes share. A claim is a fencing token: each one has a higher
 * epoch, and a commit of a store whose claim is no longer the last one is refused with a `StoreError` of kind `moved`. So a
 * node that was frozen and wakes up writes nothing. Threads that nobody has claimed may be written to by every node.
 */
export interface ThreadOwnership {
  /**
   * Makes this store the owner, whoever was it before, and answers with the epoch. It comes after the commits of this store
   * that were started before, and survives a power cut. Undefined when there is no such thread.
   */
  claim(threadId: ThreadId): MaybePromise<number | undefined>
  /** Nobody owns the thread any more. False when this store did not own it. With an epoch: a newer claim stays. */
  release(threadId: ThreadId, epoch?: number): MaybePromise<boolean>
  /** Undefined when nobody owns it. */
  ownerOf(threadId: ThreadId): MaybePromise<ThreadOwner | undefined>
}

/** The node that owns a thread. */
export interface ThreadOwner {
  readonly nodeId: string
  readonly epoch: number
}
