import { Buffer } from 'node:buffer'
import type { AuditCheck, AuditProblem } from '@capstan/protocol'
import { breaksIn, describeBreak, describePage } from '../../shared/audit/describe-page.ts'
import { sealedDigest, toHex } from '../../shared/audit/page-digest.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Connection } from '../database/connection.ts'
import { digestPages, isHeadIntact, readHead, sealPage } from './chain.ts'

interface RawRow {
  readonly id: number
  readonly thread: number
  readonly last_seq: number
  readonly kinds: number
  readonly bytes: Uint8Array
  readonly mac: Uint8Array | null
  readonly digest: Uint8Array | null
}

/**
 * Checks the chain over all pages. A row whose seal does not fit is reported, and the check goes on behind it, so that
 * every changed row is named. Never throws for what a row holds.
 */
export function verifyChain(connection: Connection, seal: Seal): AuditCheck {
  if (seal.isKeyMissing) return nothingChecked('seal.key is missing: without it the log cannot be checked.')
  const head = readHead(connection)
  if (!head) return nothingChecked('The start of the chain is missing.')
  const problems: AuditProblem[] = []
  if (Buffer.compare(digestPages(connection, seal, head.first).digest, head.before) !== 0)
    problems.push({ no: head.first - 1, kind: 'edited', text: CHANGED_BEFORE(head.first) })

  const rows = connection.prepare(
    `SELECT id, thread, last_seq, kinds, mac, digest, CAST(body AS BLOB) AS bytes FROM journal
    WHERE id >= ? ORDER BY id`,
  )
  const macOfPage = connection.prepare<Pick<RawRow, 'mac'>>('SELECT mac FROM journal WHERE id = ?')
  let previous = toHex(macOfPage.get(head.first - 1)?.mac ?? null)
  let next = head.first
  let isAfterGap = false
  let count = 0
  for (const found of rows.compiled().iterate(head.first) as Iterable<unknown>) {
    const row = found as RawRow
    if (row.id > next) {
      problems.push(missing(next, row.id - 1))
      isAfterGap = true
    }
    if (!row.mac) problems.push({ no: row.id, kind: 'unsealed', text: `${describePage(row)} has no seal.` })
    // The seal before a gap is gone, so the first row behind it cannot be checked by its own seal.
    else if (!isAfterGap && !fits(seal, previous, row))
      problems.push({ no: row.id, kind: 'edited', text: `${describePage(row)} was changed or moved.` })
    for (const line of breaksIn(row))
      problems.push({ no: row.id, kind: 'reported', text: describeBreak(line) })
    previous = toHex(row.mac)
    isAfterGap = false
    next = row.id + 1
    count++
  }
  if (next <= head.page) problems.push(missing(next, head.page))
  else if (!isHeadIntact(seal, head, head.page === 0 ? null : macOfPage.get(head.page)?.mac))
    problems.push({ no: head.page, kind: 'edited', text: HEAD_CHANGED })
  return { ok: problems.length === 0, rows: count, first: head.first, problems }
}

function fits(seal: Seal, previous: string, row: RawRow): boolean {
  const { id, thread, last_seq: lastSeq, kinds, mac } = row
  const wanted = sealPage(seal, previous, { id, thread, lastSeq, kinds }, sealedDigest(seal, row))
  return mac !== null && toHex(mac) === wanted
}

function missing(from: number, to: number): AuditProblem {
  const text = from === to ? `Row ${from} is missing.` : `Rows ${from} to ${to} are missing.`
  return { no: from, kind: 'missing', text }
}

const nothingChecked = (text: string): AuditCheck => ({
  ok: false,
  rows: 0,
  first: 0,
  problems: [{ no: 0, kind: 'missing', text }],
})

const HEAD_CHANGED = 'The note of where the chain ends was changed.'
const CHANGED_BEFORE = (first: number): string =>
  `A row before row ${first}, where the chain starts, was changed or removed.`
