import type { ThreadId } from '@capstan/protocol'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { RecordBatch } from './record-batch.ts'

interface SyncWaiter {
  readonly sync: number
  readonly synced: PromiseWithResolvers<void>
}

interface LedgerWriterOptions {
  readonly ledger: Ledger
  readonly threadId: ThreadId
  readonly batch: RecordBatch
  /** After each commit, with what it wrote. */
  readonly onStored: (records: readonly LedgerRecord[]) => void
  /** After each sync. */
  readonly onSynced: () => void
  /** Once, when nothing can be written any more. */
  readonly onFault: () => void
}

/**
 * Commits the batch of one thread: one commit at a time, in order. Syncs are numbered, and a later one covers the
 * earlier ones. After a commit or a sync has failed, every call throws that fault.
 */
export class LedgerWriter {
  readonly #options: LedgerWriterOptions
  #fault: RecordingError | undefined
  #committing: Promise<void> | undefined
  #syncsAsked = 0
  #syncsDone = 0
  /** Stored events wait for this sync. */
  #heldUntil = 0
  #syncing: Promise<void> | undefined
  readonly #syncWaiters: SyncWaiter[] = []

  constructor(options: LedgerWriterOptions) {
    this.#options = options
  }

  get hasFailed(): boolean {
    return this.#fault !== undefined
  }

  /** Whether a sync is under way that announcements must wait for. */
  get isHeld(): boolean {
    return this.#syncsDone < this.#heldUntil
  }

  throwFault(): void {
    if (this.#fault) throw this.#fault
  }

  /** Commits what was gathered: from here on a killed process does not lose it. */
  flush(): MaybePromise<void> {
    this.throwFault()
    if (this.#committing) return this.#committing.then(() => this.flush())
    const { ledger, threadId, batch, onStored } = this.#options
    if (batch.isEmpty) return
    const records = batch.take()
    let writing: MaybePromise<void>
    try {
      writing = ledger.commit(threadId, records)
    } catch (error) {
      return this.#fail(error)
    }
    if (!writing) return onStored(records)
    this.#committing = writing.then(
      () => {
        this.#committing = undefined
        onStored(records)
      },
      (error: unknown) => {
        this.#committing = undefined
        this.#fail(error)
      },
    )
    return this.#committing
  }

  /** Nobody waits for this one: the next call that writes meets its fault. */
  flushInBackground(): void {
    if (this.#fault) return
    try {
      const writing = this.flush()
      if (writing) writing.catch(ignore)
    } catch {
      // kept as the fault
    }
  }

  /** Commits, and settles when a power cut does not lose it either. Events stored meanwhile are announced after it. */
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
      const syncing = this.#options.ledger.sync()
      if (syncing) await syncing
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#noteSync(sync)
    }
  }

  /** Settles when announcements are free again. */
  async whenFree(): Promise<void> {
    if (this.isHeld) await this.#syncing
  }

  /** A number for what is committed from now on; `synced` can be asked for it later. */
  numberSync(): number {
    return ++this.#syncsAsked
  }

  /** Settles when a power cut does not lose what this number stands for. Undefined: that is so already. */
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
      await this.#options.ledger.sync()
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
    this.#options.onFault()
    for (const { synced } of this.#syncWaiters.splice(0)) synced.reject(this.#fault)
    return this.#fault
  }
}

const ignore = (): void => {}
