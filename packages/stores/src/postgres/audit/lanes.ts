import { digestOf, toHex } from '../../shared/audit/page-digest.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Database, Query } from '../database/database.ts'
import { isConnectionLoss } from '../database/store-errors.ts'
import { countFields, openingFields, reachFields, sealPage } from './chain-seals.ts'
import type { ChainedPage } from './chain-seals.ts'

/**
 * The audit chains of this store. A page is sealed with the page before it, so the pages of one chain are written one
 * after the other. Commits of different threads run at the same time: each takes a lane, and every lane has a chain of
 * its own. Lanes are opened when they are needed.
 */
export interface Lanes {
  /**
   * Waits for a free lane. A lane whose end is not known is not used again: after a lost connection, and when the server has
   * crashed and lost its last page.
   */
  use<Value>(work: (lane: Lane) => Promise<Value>): Promise<Value>
}

/** The end of a chain. */
export interface Lane {
  readonly chain: number
  /** Seals the next page of the chain. Call `advance` once it is stored. */
  seal(page: Omit<ChainedPage, 'chain' | 'no'>, body: string): SealedPage
  advance(page: SealedPage): void
  /** Its last page is not there any more: the chain ends before it. */
  leave(): void
  readonly isLeft: boolean
}

export interface SealedPage {
  readonly chain: number
  readonly no: number
  /** Where it is in the journal. */
  readonly place: PagePlace
  /** The page before it in its chain. Undefined for the first. */
  readonly after: PagePlace | undefined
  readonly mac: Uint8Array
  /** Proves that the chain reaches this page. */
  readonly reachSeal: Uint8Array
}

interface PagePlace {
  readonly thread: number
  readonly page: number
}

interface LaneOptions {
  readonly seal: Seal
  readonly nodeId: string
  readonly now: () => number
  readonly max: number
}

export function createLanes(database: Database, options: LaneOptions): Lanes {
  const idle: Lane[] = []
  const waiting: ((lane: Lane | undefined) => void)[] = []
  let opened = 0

  /** Undefined: the caller may open one. */
  async function take(): Promise<Lane | undefined> {
    const lane = idle.pop()
    if (lane) return lane
    if (opened < options.max) {
      opened++
      return undefined
    }
    return new Promise((resolve) => void waiting.push(resolve))
  }
  function giveBack(lane: Lane | undefined): void {
    const next = waiting.shift()
    if (next) return next(lane)
    if (lane) idle.push(lane)
    else opened--
  }

  return {
    async use(work) {
      let lane = await take()
      try {
        lane ??= createLane(await openChain(database, options), options.seal)
        return await work(lane)
      } catch (error) {
        if (isConnectionLoss(error) || isConnectionLoss((error as Error).cause)) lane = undefined
        throw error
      } finally {
        // The server has crashed, so the others may have lost their ends, too.
        if (lane?.isLeft) opened -= idle.splice(0).length
        giveBack(lane?.isLeft ? undefined : lane)
      }
    },
  }
}

function createLane(chain: number, seal: Seal): Lane {
  let no = 0
  let mac = ''
  let last: PagePlace | undefined
  let isLeft = false
  return {
    chain,
    get isLeft() {
      return isLeft
    },
    leave() {
      isLeft = true
    },
    seal(page, body) {
      const next = sealPage(seal, mac, { ...page, chain, no: no + 1 }, digestOf(body))
      return {
        chain,
        no: no + 1,
        // A page of no thread has its place in the chain as its number.
        place: { thread: page.thread, page: page.thread < 0 ? no + 1 : page.page },
        after: last,
        mac: Buffer.from(next, 'hex'),
        reachSeal: seal.of(reachFields(chain, no + 1, next)),
      }
    },
    advance(page) {
      no = page.no
      last = page.place
      mac = toHex(page.mac)
    },
  }
}

/** Opens a chain and answers with its number. Chains are numbered without gaps. */
const openChain = (database: Database, { seal, nodeId, now }: LaneOptions): Promise<number> =>
  database.transaction(async (query) => {
    await query(`SELECT pg_advisory_xact_lock(hashtextextended('capstan chains ' || current_schema(), 0))`)
    const [last] = await query<{ no: number; seal: Uint8Array }>(
      'SELECT no, seal FROM chains ORDER BY no DESC LIMIT 1',
    )
    const no = (last?.no ?? 0) + 1
    const openedAt = now()
    const opening = seal.of(openingFields(no, nodeId, openedAt, toHex(last?.seal ?? null)))
    await query('INSERT INTO chains VALUES ($1, $2, $3, $4, 0, $5)', [
      no,
      nodeId,
      openedAt,
      opening,
      seal.of(reachFields(no, 0, '')),
    ])
    await query(
      `INSERT INTO facts VALUES ('chains', $1, $2) ON CONFLICT (name) DO UPDATE SET value = $1, seal = $2`,
      [String(no), seal.of(countFields(no, toHex(opening)))],
    )
    return no
  })

/** The last page of a chain is lost. The work may be done again, with another lane. */
export class LostPageError extends Error {
  override readonly name = 'LostPageError'
}

async function isThere(
  query: Query,
  { thread, page }: PagePlace,
  { chain, no }: Pick<SealedPage, 'chain' | 'no'>,
): Promise<boolean> {
  const sql = 'SELECT FROM journal WHERE thread = $1 AND page = $2 AND chain = $3 AND no = $4'
  return (await query(sql, [thread, page, chain, no - 1])).length > 0
}

/** Writes a page of no thread, in the open transaction. Throws `LostPageError` when the page before it is gone. */
export async function insertAuditPage(
  query: Query,
  lane: Lane,
  body: string,
  kinds: number,
): Promise<SealedPage> {
  const thread = -lane.chain
  // Its place in the chain makes it unique.
  const sealed = lane.seal({ thread, page: 0, lastSeq: 0, kinds }, body)
  const { after } = sealed
  if (after && !(await isThere(query, after, sealed))) {
    lane.leave()
    throw new LostPageError()
  }
  await query(
    `WITH written AS (INSERT INTO journal (thread, page, last_seq, kinds, body, chain, no, mac)
      VALUES ($1, $2, 0, $3, $4, $5, $2, $6))
    UPDATE chains SET reach = $2, reach_seal = $7 WHERE no = $5`,
    [thread, sealed.no, kinds, body, sealed.chain, sealed.mac, sealed.reachSeal],
  )
  return sealed
}
