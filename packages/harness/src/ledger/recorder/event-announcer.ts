import type { TurnEvent } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'

/** Announces events in order, after they are stored. A slow watcher delays the events that follow. */
export class EventAnnouncer {
  readonly #announce: (event: TurnEvent) => void | Promise<void>
  /** True while stored events must wait for a sync. */
  readonly #isHeld: () => boolean
  readonly #stored: TurnEvent[] = []
  #slow: Promise<void> | undefined

  constructor(announce: (event: TurnEvent) => void | Promise<void>, isHeld: () => boolean) {
    this.#announce = announce
    this.#isHeld = isHeld
  }

  /** Set while a watcher is still handling an event. */
  get slow(): Promise<void> | undefined {
    return this.#slow
  }

  /** Queues the events among these stored records, and announces what it can. */
  add(records: readonly LedgerRecord[]): void {
    for (const record of records) if (record.type === 'event') this.#stored.push(record.event)
    this.announceStored()
  }

  /** Announces the queued events, unless a sync or a slow watcher holds them back. */
  announceStored(): void {
    if (this.#slow || this.#isHeld()) return
    for (let next = this.#stored.shift(); next; next = this.#stored.shift()) {
      const slow = this.#announce(next)
      if (!slow) continue
      this.#slow = slow.then(() => {
        this.#slow = undefined
        this.announceStored()
      })
      return
    }
  }

  /** Settles when no watcher is busy. */
  async drain(): Promise<void> {
    while (this.#slow) await this.#slow
  }

  /** Drops the events that are not announced yet. */
  clear(): void {
    this.#stored.length = 0
  }
}
