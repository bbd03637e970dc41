import type { RunId, TurnEvent } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { DeltaBody } from '../../turn/event-line.ts'

/** Gathers the records of one thread until they are committed. Deltas that follow each other become one event. */
export class RecordBatch {
  #records: LedgerRecord[] = []
  /** The newest record, if it is an event: a delta may still join it. */
  #lastEvent: TurnEvent | undefined

  get isEmpty(): boolean {
    return this.#records.length === 0
  }

  add(record: LedgerRecord): void {
    this.#records.push(record)
    this.#lastEvent = record.type === 'event' ? record.event : undefined
  }

  /** Joins a delta to the newest event. False: it needs an event of its own. */
  merge(runId: RunId, body: DeltaBody): boolean {
    const last = this.#lastEvent
    if (last?.runId !== runId || last.type !== body.type || last.iteration !== body.iteration) return false
    if (last.type === 'tool-args-delta' && last.callId !== (body as typeof last).callId) return false
    ;(last as { delta: string }).delta += body.delta
    return true
  }

  /** Hands over what was gathered and starts anew. */
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
