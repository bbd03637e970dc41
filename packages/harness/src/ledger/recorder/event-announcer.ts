import type { TurnEvent } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'

/** Announces events in order, after they were stored. A slow watcher holds back the events behind it. */
export class EventAnnouncer {
  readonly #announce: (event: TurnEvent) => void | Promise<void>
  /** Whether stored events must wait for a sync. */
  readonly #isHeld: () => boolean
  readonly #stored: TurnEvent[] = []
  #slow: Promise<void> | undefined

  constructor(announce: (event: TurnEvent) => void | Promise<void>, isHeld: () => boolean) {
    this.#announce = announce
    this.#isHeld = isHeld
  }

  /** Set while a watcher takes its time. */
  get slow(): Promise<void> | undefined {
    return this.#slow
  }

  add(records: readonly LedgerRecord[]): void {
    for (const record of records) if (record.type === 'event') this.#stored.push(record.event)
    this.announceStored()
  }

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

  /** Settles when no watcher holds anything back. */
  async drain(): Promise<void> {
    while (this.#slow) await this.#slow
  }

  clear(): void {
    this.#stored.length = 0
  }
}
