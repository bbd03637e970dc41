import type { RunId, TurnEvent } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { DeltaBody } from '../../turn/event-line.ts'

/** Gathers the records of one thread until they are committed. Adjacent deltas of the same kind become one event. */
export class RecordBatch {
  #records: LedgerRecord[] = []
  /** The newest record, if it is an event. A delta may still be merged into it. */
  #lastEvent: TurnEvent | undefined

  get isEmpty(): boolean {
    return this.#records.length === 0
  }

  add(record: LedgerRecord): void {
    this.#records.push(record)
    this.#lastEvent = record.type === 'event' ? record.event : undefined
  }

  /** Merges a delta into the newest event. False: the delta needs its own event. */
  merge(runId: RunId, body: DeltaBody): boolean {
    const last = this.#lastEvent
    if (last?.runId !== runId || last.type !== body.type || last.iteration !== body.iteration) return false
    if (last.type === 'tool-args-delta' && last.callId !== (body as typeof last).callId) return false
    ;(last as { delta: string }).delta += body.delta
    return true
  }

  /** Returns the gathered records and empties the batch. */
  take(): readonly LedgerRecord[] {
    const records = this.#records
    this.clear()
    return records
  }

  clear(): void {
    this.#records = []
    this.#lastEvent = undefined
  }
}
