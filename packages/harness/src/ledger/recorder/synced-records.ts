import type { ThreadId } from '@capstan/protocol'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'

/**
 * Passes the records of each commit on, in order. With a ledger that announces after a sync, they wait for one that began
 * after their commit: while records wait, one sync is under way. Otherwise they are passed on at once.
 */
export class SyncedRecords {
  readonly #ledger: Ledger
  readonly #threadId: ThreadId
  readonly #pass: (records: readonly LedgerRecord[]) => void
  readonly #onFault: (error: unknown) => void
  readonly #waiting: (readonly LedgerRecord[])[] = []
  /** How many commits were passed on. */
  #passed = 0
  #syncing: Promise<void> | undefined

  constructor(
    ledger: Ledger,
    threadId: ThreadId,
    pass: (records: readonly LedgerRecord[]) => void,
    onFault: (error: unknown) => void,
  ) {
    this.#ledger = ledger
    this.#threadId = threadId
    this.#pass = pass
    this.#onFault = onFault
  }

  /** Takes the records of a commit that has just been stored. */
  add(records: readonly LedgerRecord[]): void {
    if (!this.#ledger.announceAfterSync) return this.#pass(records)
    this.#waiting.push(records)
    this.#syncing ??= this.#syncWaiting()
  }

  /** Syncs, and passes on what was stored before. */
  sync(): MaybePromise<void> {
    const stored = this.#passed + this.#waiting.length
    const syncing = this.#ledger.sync(this.#threadId)
    return syncing ? syncing.then(() => this.#passUpTo(stored)) : this.#passUpTo(stored)
  }

  /** Set while records wait. Settles when they were passed on, or cannot be. */
  get passing(): Promise<void> | undefined {
    return this.#syncing
  }

  /** Drops the records that were not passed on. */
  clear(): void {
    this.#passed += this.#waiting.splice(0).length
  }

  async #syncWaiting(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.sync()
    } catch (error) {
      this.#onFault(error)
    } finally {
      this.#syncing = undefined
    }
  }

  #passUpTo(stored: number): void {
    for (; this.#passed < stored; this.#passed++) this.#pass(this.#waiting.shift()!)
  }
}
