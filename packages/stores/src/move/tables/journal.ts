import { HOLDS_APPROVALS } from '../../postgres/audit/audit-store.ts'
import { HOLDS_AUDIT, parseBody } from '../../shared/ledger/page-body.ts'
import type { TableCopy } from '../copy-table.ts'
import { rowsOf } from '../source.ts'

interface PageRow {
  readonly id: number
  readonly thread: number
  readonly last_seq: number
  readonly kinds: number
  readonly body: string
}

/**
 * The pages keep their numbers, so that a line of the audit log is found where it was. They are sealed again, into one
 * chain, because their seals were made with the key of the folder. A page of a deleted thread is sealed as the empty page
 * that it is.
 */
export const JOURNAL: TableCopy = {
  table: 'journal',
  columns: {
    id: 'bigint',
    thread: 'bigint',
    page: 'bigint',
    last_seq: 'bigint',
    kinds: 'integer',
    body: 'text',
    chain: 'bigint',
    no: 'bigint',
    mac: 'bytea',
  },
  *rows({ source, lane }) {
    const pages = new Map<number, number>()
    const sql = 'SELECT id, thread, last_seq, kinds, body FROM journal ORDER BY id'
    for (const { id, thread: of, last_seq: lastSeq, kinds: held, body } of rowsOf<PageRow>(
      source.connection,
      sql,
    )) {
      const isOfThread = (held & HOLDS_AUDIT) === 0
      const thread = isOfThread ? of : -lane.chain
      const page = isOfThread ? (pages.get(of) ?? 0) + 1 : 0
      pages.set(of, page)
      const kinds = isOfThread && asksForApproval(body) ? held | HOLDS_APPROVALS : held
      const sealed = lane.seal({ thread, page, lastSeq, kinds }, body)
      lane.advance(sealed)
      yield [
        id,
        thread,
        isOfThread ? page : sealed.no,
        lastSeq,
        kinds,
        body,
        sealed.chain,
        sealed.no,
        sealed.mac,
      ]
    }
  },
}

/** Only PostgreSQL marks such pages: the audit log finds them by it. */
const asksForApproval = (body: string): boolean =>
  body.includes('"approval-open"') && parseBody(body).some(({ type }) => type === 'approval-open')
