import type { ThreadId } from '@capstan/protocol'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import type { Clock } from '../../turn/clock.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'

/** Records wait this long for a sync that somebody else needs, before they get one of their own. */
const WAIT_MS = 5

interface SyncedRecordsOptions {
  readonly ledger: Ledger
  readonly threadId: ThreadId
  readonly clock: Clock
  readonly pass: (records: readonly LedgerRecord[]) => void
  /** Called when a sync failed that no caller waits for. */
  readonly onFault: (error: unknown) => void
}

/**
 * Passes the records of each commit on, in order. With a ledger that announces after a sync, they wait for one that began
 * after their commit; otherwise they are passed on at once.
 */
export class SyncedRecords {
  readonly #options: SyncedRecordsOptions
  readonly #waiting: (readonly LedgerRecord[])[] = []
  /** How many commits were passed on. */
  #passed = 0
  /** Set while a sync for waiting records is due or under way. */
  #isDue = false

  constructor(options: SyncedRecordsOptions) {
    this.#options = options
  }

  /** Takes the records of a commit that has just been stored. */
  add(records: readonly LedgerRecord[]): void {
    if (!this.#options.ledger.announceAfterSync) return this.#options.pass(records)
    this.#waiting.push(records)
    this.#syncLater()
  }

  /** Syncs, and passes on what was stored before. */
  sync(): MaybePromise<void> {
    const { ledger, threadId } = this.#options
    const stored = this.#passed + this.#waiting.length
    const syncing = ledger.sync(threadId)
    return syncing ? syncing.then(() => this.#passUpTo(stored)) : this.#passUpTo(stored)
  }

  /** Passes on what waits, as soon as it may be. */
  async passAll(): Promise<void> {
    if (this.#waiting.length > 0) await this.sync()
  }

  /** Drops the records that were not passed on. */
  clear(): void {
    this.#passed += this.#waiting.splice(0).length
  }

  #syncLater(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#options.clock.after(WAIT_MS, () => {
      const end = () => {
        this.#isDue = false
        if (this.#waiting.length > 0) this.#syncLater()
      }
      this.passAll().catch(this.#options.onFault).finally(end)
    })
  }

  #passUpTo(stored: number): void {
    for (; this.#passed < stored; this.#passed++) this.#options.pass(this.#waiting.shift()!)
  }
}
