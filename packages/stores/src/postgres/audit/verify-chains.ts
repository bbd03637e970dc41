import type { AuditCheck, AuditProblem } from '@capstan/protocol'
import { breaksIn, describeBreak, describePage } from '../../shared/audit/describe-page.ts'
import { sealedDigest, toHex } from '../../shared/audit/page-digest.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Query } from '../database/database.ts'
import { sealPage } from './chain-seals.ts'
import { checkChains } from './check-chains.ts'
import type { ChainState } from './check-chains.ts'

interface PageRow {
  readonly id: number
  readonly thread: number
  readonly page: number
  readonly last_seq: number
  readonly kinds: number
  readonly body: string
  readonly chain: number
  readonly no: number
  readonly mac: Uint8Array
  readonly digest: Uint8Array | null
}

const ROWS_AT_ONCE = 500

/**
 * Checks all chains. A row whose seal does not fit is reported, and the check goes on behind it, so that every changed row
 * is named. `query` must see one moment of the database: then a chain has no gaps that another node is about to fill.
 */
export async function verifyChains(query: Query, seal: Seal): Promise<AuditCheck> {
  const { chains, problems, checkEnds } = await checkChains(query, seal)
  let rows = 0
  for (let last = 0; ;) {
    const page = await query<PageRow>('SELECT * FROM journal WHERE id > $1 ORDER BY id LIMIT $2', [
      last,
      ROWS_AT_ONCE,
    ])
    for (const row of page) problems.push(...checkRow(seal, chains, row))
    rows += page.length
    if (page.length < ROWS_AT_ONCE) break
    last = page.at(-1)!.id
  }
  problems.push(...checkEnds())
  return { ok: problems.length === 0, rows, first: 1, problems }
}

function checkRow(seal: Seal, chains: ReadonlyMap<number, ChainState>, row: PageRow): AuditProblem[] {
  const bytes = Buffer.from(row.body)
  const found = { id: row.id, kinds: row.kinds, bytes }
  const chain = chains.get(row.chain)
  if (!chain) return [{ no: row.id, kind: 'unsealed', text: `${describePage(found)} belongs to no chain.` }]
  const problems: AuditProblem[] = []
  const isAfterGap = row.no > chain.next
  if (isAfterGap) problems.push(missingBefore(row, chain.next))
  // The seal before a gap is gone, so the first row behind it cannot be checked by its own seal.
  if (row.no < chain.next || (!isAfterGap && !fits(seal, chain.previous, row, bytes)))
    problems.push({ no: row.id, kind: 'edited', text: `${describePage(found)} was changed or moved.` })
  for (const line of breaksIn(found))
    problems.push({ no: row.id, kind: 'reported', text: describeBreak(line) })
  chain.previous = toHex(row.mac)
  chain.next = Math.max(chain.next, row.no + 1)
  chain.lastRow = row.id
  if (row.no === chain.reach) chain.macAtReach = chain.previous
  return problems
}

function fits(seal: Seal, previous: string, row: PageRow, bytes: Uint8Array): boolean {
  const { chain, no, thread, page, last_seq: lastSeq, kinds, digest } = row
  const sealed = sealedDigest(seal, { id: [chain, no], bytes, digest })
  const place = thread < 0 ? 0 : page
  return (
    toHex(row.mac) === sealPage(seal, previous, { chain, no, thread, page: place, lastSeq, kinds }, sealed)
  )
}

function missingBefore({ id, chain, no }: PageRow, from: number): AuditProblem {
  const count = no - from
  const text = `${count === 1 ? 'A row' : `${count} rows`} before row ${id} ${count === 1 ? 'is' : 'are'} missing (chain ${chain}).`
  return { no: id, kind: 'missing', text }
}
