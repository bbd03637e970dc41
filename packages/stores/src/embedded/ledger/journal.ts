import { createBytesOf } from './journal-bytes.ts'
import type { AuditLine } from '@capstan/protocol'
import type { Chain } from '../audit/chain.ts'
import { EMPTY_BODY, toHex } from '../../shared/audit/page-digest.ts'
import { HOLDS_AUDIT } from '../../shared/ledger/page-body.ts'
import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'

/** The thread number of pages that belong to no thread. */
const NO_THREAD = 0

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
  /** Gives the page the next number and writes it. `isSealed`: its end must not be removed unnoticed; needs a transaction. */
  append(page: Omit<Page, 'id'>, options?: { readonly isSealed?: boolean }): Page
  /** Writes audit lines as a page of their own, in the open transaction. */
  appendAudit(lines: readonly AuditLine[]): Page
  /** Pages of a thread that hold one of `kinds` (any page without), from event `from` on. Return false to stop. */
  visit(
    thread: number,
    query: { readonly from?: number; readonly kinds?: number },
    look: (page: Page) => boolean | void,
  ): void
  /** Pages of all threads with a number above `after`, in order. Return false to stop. */
  visitAll(after: number, look: (page: Page) => boolean | void): void
  /** Pages that are not indexed yet, oldest first. */
  tail(): readonly Page[]
  /** The last page of a thread. */
  last(thread: number): Pick<Page, 'id' | 'lastSeq'> | undefined
  lastId(): number
  /** The id of the last indexed page. */
  indexed(): number
  index(page: Pick<Page, 'id' | 'thread' | 'lastSeq'>): void
  indexedUpTo(id: number): void
  /** Deletes the bodies of a thread's pages. Their numbers and seals stay. Answers with how many there were. */
  delete(thread: number): number
  /** The bytes of the pages of a thread, without reading them. */
  bytesOf(thread: number): number
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

/** `chain`: seals each page with the one before. Absent in a reader, and before the version that introduced the chain. */
export function createJournal(connection: Connection, chain?: Chain): Journal {
  const all = connection.prepare<PageRow>(`SELECT ${FIELDS} FROM journal WHERE id > ? ORDER BY id`)
  const visitIndexed = connection.prepare<PageRow>(
    `SELECT ${FIELDS} FROM pages JOIN journal USING (id)
    WHERE pages.thread = ? AND pages.last_seq >= ? AND pages.id <= ? ORDER BY pages.last_seq, pages.id`,
  )
  const visitUnindexed = connection.prepare<PageRow>(
    `SELECT ${FIELDS} FROM journal WHERE id > ? AND thread = ? AND last_seq >= ? ORDER BY id`,
  )
  const allUnindexed = connection.prepare<PageRow>(
    `SELECT ${FIELDS} FROM journal WHERE id > ? AND thread <> ${NO_THREAD} ORDER BY id`,
  )
  const lastIndexed = connection.prepare<PageRow>(
    'SELECT id, last_seq FROM pages WHERE thread = ? ORDER BY last_seq DESC, id DESC LIMIT 1',
  )
  const lastUnindexed = connection.prepare<PageRow>(
    'SELECT id, last_seq FROM journal WHERE id > ? AND thread = ? ORDER BY id DESC LIMIT 1',
  )
  const counts = connection.prepare<Record<'pages' | 'indexed' | 'matching', number>>(
    `SELECT
    (SELECT count(*) FROM journal
      WHERE thread <> ${NO_THREAD} AND id <= (SELECT page FROM progress WHERE name = 'indexed')) AS pages,
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
  const indexedOf = connection.prepare<PageRow>(
    `SELECT ${FIELDS} FROM pages JOIN journal USING (id) WHERE pages.thread = ?`,
  )
  const unindexedOf = connection.prepare<PageRow>(`SELECT ${FIELDS} FROM journal WHERE id > ? AND thread = ?`)
  const empty = connection.prepare('UPDATE journal SET sum = ?, body = ?, digest = ? WHERE id = ?')

  // Read each time: for a reader, the owner's index grows meanwhile. Pages move from the end to the index and never
  // back, so what was read with one number is complete.
  const indexed = (): number => progress.get()?.page ?? 0

  const { append, appendAudit } = createAppender(connection, indexed, chain)

  return {
    append,
    appendAudit,
    visitAll(after, look) {
      for (const row of all.compiled().iterate(after) as Iterable<unknown>)
        if (look(toPage(row as PageRow)) === false) return
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
    bytesOf: createBytesOf(connection, indexed),
    delete(thread) {
      const pages = [...indexedOf.all(thread), ...unindexedOf.all(indexed(), thread)]
      for (const row of pages) {
        const { id, last_seq: lastSeq, kinds, body } = row
        const sum = sumOf({ id, thread, lastSeq, kinds, body: EMPTY_BODY })
        empty.run(sum, EMPTY_BODY, chain?.markDeleted(id, body) ?? null, id)
      }
      return pages.length
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

const sumOf = ({ id, thread, lastSeq, kinds, body }: Page): number =>
  checksum(body, id + thread + lastSeq + kinds)

/** The end of the journal. `undone`: of the connection, when it was written. */
interface Tip {
  readonly id: number
  readonly mac: string
  readonly undone: number
}

/** Writes pages at the end of the journal. */
function createAppender(
  connection: Connection,
  indexed: () => number,
  chain: Chain | undefined,
): Pick<Journal, 'append' | 'appendAudit'> {
  const insert = connection.prepare(
    'INSERT INTO journal (id, thread, last_seq, kinds, sum, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const insertSealed = connection.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
  const last = connection.prepare<{ readonly id: number; readonly mac?: Uint8Array | null }>(
    `SELECT id${chain ? ', mac' : ''} FROM journal ORDER BY id DESC LIMIT 1`,
  )
  // Ids of pages that earlier versions deleted are not used again.
  let firstFree: number | undefined
  /** The last page as it was written. When its transaction was undone, it is gone. */
  let kept: Tip | undefined

  function findTip(): Omit<Tip, 'undone'> {
    if (kept?.undone === connection.undone) return kept
    const { id = 0, mac = null } = last.get() ?? {}
    return { id, mac: toHex(mac) }
  }

  function append(page: Omit<Page, 'id'>, { isSealed = false } = {}): Page {
    firstFree ??= indexed() + 1
    const tip = findTip()
    kept = undefined
    const made = { ...page, id: Math.max(tip.id + 1, firstFree) }
    const { id, thread, lastSeq, kinds, body } = made
    if (!chain) {
      insert.run(id, thread, lastSeq, kinds, sumOf(made), body)
      return made
    }
    const mac = chain.macOf(tip.mac, made)
    insertSealed.compiled().run(id, thread, lastSeq, kinds, sumOf(made), body, Buffer.from(mac, 'hex'))
    kept = { id, mac, undone: connection.undone }
    const broken = isSealed ? chain.reach(made, mac) : undefined
    if (broken) appendAudit([broken])
    return made
  }

  const appendAudit = (lines: readonly AuditLine[]): Page =>
    append(
      { thread: NO_THREAD, lastSeq: 0, kinds: HOLDS_AUDIT, body: JSON.stringify(lines) },
      { isSealed: true },
    )

  return { append, appendAudit }
}

function toPage(row: PageRow): Page {
  const { id, thread, last_seq: lastSeq, kinds, body } = row
  refuseDamage(isWhole(row, body), `page ${id} of the journal`)
  return { id, thread, lastSeq, kinds, body }
}

function isWhole(row: Omit<PageRow, 'body'>, body: string | Uint8Array): boolean {
  return checksum(body, row.id + row.thread + row.last_seq + row.kinds) === row.sum
}
