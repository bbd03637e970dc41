import type { ThreadId } from '@capstan/protocol'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import type { Clock } from '../../turn/clock.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import { ignore } from '../../turn/maybe-promise.ts'
import type { RecordBatch } from './record-batch.ts'
import { SyncedRecords } from './synced-records.ts'

interface SyncWaiter {
  readonly sync: number
  readonly synced: PromiseWithResolvers<void>
}

interface LedgerWriterOptions {
  readonly ledger: Ledger
  readonly threadId: ThreadId
  readonly batch: RecordBatch
  readonly clock: Clock
  /** Called with the records of each commit, in order, as soon as their events may be announced. */
  readonly onStored: (records: readonly LedgerRecord[]) => void
  /** Called after each sync. */
  readonly onSynced: () => void
  /** Called when a write has failed and nothing more can be written. */
  readonly onFault: () => void
}

/**
 * Commits the batch of one thread, one commit at a time and in order. Syncs are numbered; a later sync covers the
 * earlier ones. After a commit or a sync fails, every call throws that fault.
 */
export class LedgerWriter {
  readonly #options: LedgerWriterOptions
  #fault: RecordingError | undefined
  #committing: Promise<void> | undefined
  #takesTime = false
  #syncsAsked = 0
  #syncsDone = 0
  /** Stored events wait for this sync. */
  #heldUntil = 0
  #syncing: Promise<void> | undefined
  readonly #syncWaiters: SyncWaiter[] = []
  readonly #stored: SyncedRecords

  constructor(options: LedgerWriterOptions) {
    this.#options = options
    this.#stored = new SyncedRecords({
      ...options,
      pass: options.onStored,
      onFault: (error) => void this.#setFault(error),
    })
  }

  get hasFailed(): boolean {
    return this.#fault !== undefined
  }

  /** Whether the caller of a commit has to wait for it, as with a database on another machine. */
  get takesTime(): boolean {
    return this.#takesTime
  }

  /** True while announcements must wait for a running sync. */
  get isHeld(): boolean {
    return this.#syncsDone < this.#heldUntil
  }

  throwFault(): void {
    if (this.#fault) throw this.#fault
  }

  /** Commits the gathered records. After that a killed process does not lose them. */
  flush(): MaybePromise<void> {
    this.throwFault()
    if (this.#committing) return this.#committing.then(() => this.flush())
    const { ledger, threadId, batch } = this.#options
    if (batch.isEmpty) return
    const records = batch.take()
    let writing: MaybePromise<void>
    try {
      writing = ledger.commit(threadId, records)
    } catch (error) {
      return this.#fail(error)
    }
    if (!writing) return this.#stored.add(records)
    this.#takesTime = true
    this.#committing = writing.then(
      () => {
        this.#committing = undefined
        this.#stored.add(records)
      },
      (error: unknown) => {
        this.#committing = undefined
        this.#fail(error)
      },
    )
    return this.#committing
  }

  /** Commits without a caller that waits. The next write throws the fault, if there is one. */
  flushInBackground(): void {
    if (this.#fault) return
    try {
      const writing = this.flush()
      if (writing) writing.catch(ignore)
    } catch {
      // `#fault` keeps it for the next write.
    }
  }

  /** Commits and syncs: after that a power cut loses nothing. Events stored meanwhile are announced after the sync. */
  commitAndSync(): Promise<void> {
    const syncing = this.#commitAndSync()
    this.#syncing = syncing.catch(ignore)
    return syncing
  }

  async #commitAndSync(): Promise<void> {
    const sync = this.numberSync()
    this.#heldUntil = sync
    try {
      await this.flush()
      const syncing = this.#stored.sync()
      if (syncing) await syncing
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#noteSync(sync)
    }
  }

  /** Settles when announcements no longer wait for a sync. */
  async whenFree(): Promise<void> {
    if (this.isHeld) await this.#syncing
  }

  /** Syncs if stored events must not be announced before. Throws when the ledger has lost them. */
  async whenPassed(): Promise<void> {
    try {
      await this.#stored.passAll()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Returns the number of the next sync, to be passed to `synced` later. */
  numberSync(): number {
    return ++this.#syncsAsked
  }

  /** Settles when the sync with this number is done. Undefined: it is done already. */
  synced(sync: number): Promise<void> | undefined {
    if (this.#fault) return Promise.reject(this.#fault)
    if (this.#syncsDone >= sync) return undefined
    const synced = Promise.withResolvers<void>()
    this.#syncWaiters.push({ sync, synced })
    void this.#syncInBackground(sync)
    return synced.promise
  }

  async #syncInBackground(sync: number): Promise<void> {
    try {
      await this.flush()
      await this.#stored.sync()
      this.#noteSync(sync)
    } catch (error) {
      this.#setFault(error)
    }
  }

  #noteSync(sync: number): void {
    this.#syncsDone = Math.max(this.#syncsDone, sync)
    const waiters = this.#syncWaiters
    while (waiters[0] && waiters[0].sync <= this.#syncsDone) waiters.shift()!.synced.resolve()
    this.#options.onSynced()
  }

  #fail(error: unknown): never {
    throw this.#setFault(error)
  }

  #setFault(error: unknown): RecordingError {
    this.#fault ??= error instanceof RecordingError ? error : new RecordingError(error)
    this.#stored.clear()
    this.#options.onFault()
    for (const { synced } of this.#syncWaiters.splice(0)) synced.reject(this.#fault)
    return this.#fault
  }
}
