import { upgradeRecord, withoutMediaBytes } from '@capstan/harness/stores'
import type { LedgerRecord, OldRecord } from '@capstan/harness/stores'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'

/** What a page holds, as bits. */
export const HOLDS_CALLS = 1
export const HOLDS_USAGE = 2
export const HOLDS_WORDS = 4

/** One commit. */
export interface Page {
  readonly id: number
  readonly thread: number
  /** The number of the thread's last event, once this page was written. */
  readonly lastSeq: number
  readonly kinds: number
  readonly body: string
}

/** The pages of all threads, in the order they were committed. It does not read their bodies. */
export interface Journal {
  append(page: Page): void
  /** Pages of a thread that hold one of `kinds` (any page without), from event `from` on. Return false to stop. */
  visit(
    thread: number,
    query: { readonly from?: number; readonly kinds?: number },
    look: (page: Page) => boolean | void,
  ): void
  /** Pages that are not indexed yet, oldest first. */
  tail(): readonly Page[]
  /** The last page of a thread. */
  last(thread: number): Pick<Page, 'id' | 'lastSeq'> | undefined
  lastId(): number
  /** The id of the last indexed page. */
  indexed(): number
  index(page: Pick<Page, 'id' | 'thread' | 'lastSeq'>): void
  indexedUpTo(id: number): void
  delete(thread: number): void
  /** Throws when a page is damaged. */
  check(): void
}

interface PageRow {
  readonly id: number
  readonly thread: number
  readonly last_seq: number
  readonly kinds: number
  readonly sum: number
  readonly body: string
}

const FIELDS = 'journal.id, journal.thread, journal.last_seq, kinds, sum, body'

export function createJournal(connection: Connection): Journal {
  const insert = connection.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)')
  const visitIndexed = connection.prepare<PageRow>(
    `SELECT ${FIELDS} FROM pages JOIN journal USING (id)
    WHERE pages.thread = ? AND pages.last_seq >= ? AND pages.id <= ? ORDER BY pages.last_seq, pages.id`,
  )
  const visitUnindexed = connection.prepare<PageRow>(
    `SELECT ${FIELDS} FROM journal WHERE id > ? AND thread = ? AND last_seq >= ? ORDER BY id`,
  )
  const allUnindexed = connection.prepare<PageRow>(`SELECT ${FIELDS} FROM journal WHERE id > ? ORDER BY id`)
  const lastIndexed = connection.prepare<PageRow>(
    'SELECT id, last_seq FROM pages WHERE thread = ? ORDER BY last_seq DESC, id DESC LIMIT 1',
  )
  const lastUnindexed = connection.prepare<PageRow>(
    'SELECT id, last_seq FROM journal WHERE id > ? AND thread = ? ORDER BY id DESC LIMIT 1',
  )
  const counts = connection.prepare<Record<'pages' | 'indexed' | 'matching', number>>(
    `SELECT
    (SELECT count(*) FROM journal WHERE id <= (SELECT page FROM progress WHERE name = 'indexed')) AS pages,
    (SELECT count(*) FROM pages) AS indexed,
    (SELECT count(*) FROM pages JOIN journal USING (id, thread, last_seq)) AS matching`,
  )
  // As bytes: decoding them to text would take longer than checking them.
  const everything = connection.prepare(
    'SELECT id, thread, last_seq, kinds, sum, CAST(body AS BLOB) AS bytes FROM journal',
  )
  const lastOfAll = connection.prepare<{ id: number | null }>('SELECT max(id) AS id FROM journal')
  const progress = connection.prepare<{ page: number }>(`SELECT page FROM progress WHERE name = 'indexed'`)
  const setProgress = connection.prepare(`UPDATE progress SET page = ? WHERE name = 'indexed'`)
  const insertIndex = connection.prepare('INSERT INTO pages VALUES (?, ?, ?)')
  const deleteIndexed = connection.prepare(
    'DELETE FROM journal WHERE id IN (SELECT id FROM pages WHERE thread = ?)',
  )
  const deleteUnindexed = connection.prepare('DELETE FROM journal WHERE id > ? AND thread = ?')
  const deleteIndex = connection.prepare('DELETE FROM pages WHERE thread = ?')

  // Read each time: for a reader, the owner's index grows meanwhile. Pages move from the end to the index and never
  // back, so what was read with one number is complete.
  const indexed = (): number => progress.get()?.page ?? 0

  return {
    append({ id, thread, lastSeq, kinds, body }) {
      insert.compiled().run(id, thread, lastSeq, kinds, checksum(body, id + thread + lastSeq + kinds), body)
    },
    visit(thread, { from = 0, kinds }, look) {
      const upTo = indexed()
      for (const rows of [
        visitIndexed.compiled().iterate(thread, from, upTo),
        visitUnindexed.compiled().iterate(upTo, thread, from),
      ]) {
        for (const row of rows as Iterable<unknown>) {
          if (kinds !== undefined && ((row as PageRow).kinds & kinds) === 0) continue
          if (look(toPage(row as PageRow)) === false) return
        }
      }
    },
    tail: () => allUnindexed.all(indexed()).map(toPage),
    last(thread) {
      const row = lastUnindexed.get(indexed(), thread) ?? lastIndexed.get(thread)
      return row && { id: row.id, lastSeq: row.last_seq }
    },
    indexed,
    lastId: () => Math.max(lastOfAll.get()?.id ?? 0, indexed()),
    index({ id, thread, lastSeq }) {
      insertIndex.run(thread, lastSeq, id)
    },
    indexedUpTo(id) {
      setProgress.run(id)
    },
    delete(thread) {
      deleteIndexed.run(thread)
      deleteUnindexed.run(indexed(), thread)
      deleteIndex.run(thread)
    },
    check() {
      const { pages, indexed: known, matching } = counts.get()!
      refuseDamage(pages === known && known === matching, 'the index of the journal')
      for (const row of everything.compiled().iterate() as Iterable<unknown>) {
        const { bytes, ...page } = row as Omit<PageRow, 'body'> & { readonly bytes: Uint8Array }
        refuseDamage(isWhole(page, bytes), `page ${page.id} of the journal`)
      }
    },
  }
}

function toPage(row: PageRow): Page {
  const { id, thread, last_seq: lastSeq, kinds, body } = row
  refuseDamage(isWhole(row, body), `page ${id} of the journal`)
  return { id, thread, lastSeq, kinds, body }
}

function isWhole(row: Omit<PageRow, 'body'>, body: string | Uint8Array): boolean {
  return checksum(body, row.id + row.thread + row.last_seq + row.kinds) === row.sum
}

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
