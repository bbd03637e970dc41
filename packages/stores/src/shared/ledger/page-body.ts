import { upgradeRecord, withoutMediaBytes } from '@capstan/harness/stores'
import type { LedgerRecord, OldRecord } from '@capstan/harness/stores'
import type { ThreadId, TurnEvent } from '@capstan/protocol'

/** What a page holds, as bits. */
export const HOLDS_CALLS = 1
export const HOLDS_USAGE = 2
export const HOLDS_WORDS = 4
/** Audit lines instead of records. Such a page belongs to no thread. */
export const HOLDS_AUDIT = 8

/** An event in a body. A mark replaces the thread's id, which is known from the page. */
interface StoredEvent {
  readonly e: TurnEvent
}

const MARK = 0 as unknown as ThreadId

/** The bytes of media are kept elsewhere. Throws a `TypeError` for what JSON cannot hold. */
export function toBody(records: readonly LedgerRecord[]): string {
  return JSON.stringify(records.map(toStored))
}

const toStored = (record: LedgerRecord): LedgerRecord | StoredEvent =>
  record.type === 'event' ? { e: { ...record.event, threadId: MARK } } : record

/** Reads a body, in today's form. Without `threadId` the events in it have a mark instead of it. */
export function parseBody(body: string, threadId?: ThreadId): LedgerRecord[] {
  const stored = JSON.parse(body) as (LedgerRecord | OldRecord | StoredEvent)[]
  return stored.map((record) => {
    if (!('e' in record)) return withoutMediaBytes(upgradeRecord(record))
    const event = threadId === undefined ? record.e : { ...record.e, threadId }
    return { type: 'event', at: event.at, event }
  })
}
