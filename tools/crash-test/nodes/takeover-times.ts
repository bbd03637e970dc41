import type { LedgerRecord } from '@capstan/harness/stores'
import type { Move, MoveLog, Page } from './judge-moves.ts'

/** A node that was killed or frozen. */
export interface Strike {
  readonly kind: 'kill' | 'freeze'
  readonly node: string
  readonly at: number
}

/** When a node, or without a node the database, could not work. A kill is a moment: what comes after it is another node. */
export interface Away {
  readonly kind: 'kill' | 'nap' | 'freeze' | 'restart' | 'crash'
  readonly node?: string
  readonly from: number
  /** Infinity: not back yet. */
  readonly until: number
}

/** A turn whose node was struck, and that another node went on with. Times are milliseconds after the strike. */
export interface Takeover {
  readonly thread: string
  /** The node that went on. */
  readonly next: string
  /** When a node claimed the thread first. Undefined: the next node had it already. */
  readonly claimedMs?: number
  /** When the next node wrote its first page. */
  readonly ms: number
  /** The database was away meanwhile, or a node that had claimed the thread was frozen or killed as well. */
  readonly hindrances: readonly Away[]
}

/** How long the turns of the node stood still: from the strike to what the next node wrote first. */
export function findTakeovers(
  { moves, pages }: MoveLog,
  { node, at }: Strike,
  aways: readonly Away[] = [],
): readonly Takeover[] {
  const threads = new Set(moves.map(({ thread }) => thread))
  return [...threads].flatMap((thread) => {
    const own = pages.filter((page) => page.thread === thread)
    const owner = moves.findLast((move) => move.thread === thread && move.at <= at)?.owner
    if (owner !== node || !isRunning(own.filter((page) => page.at <= at))) return []
    const next = own.find((page) => page.at > at)
    if (next === undefined || next.node === node) return []
    const claims = moves.filter(
      (move) => move.thread === thread && move.owner !== null && move.at > at && move.at <= next.at,
    )
    const claimedAt = claims[0]?.at
    return {
      thread,
      next: next.node,
      ...(claimedAt !== undefined && { claimedMs: claimedAt - at }),
      ms: next.at - at,
      hindrances: aways.filter(
        (away) => away.from <= next.at && away.until >= at && isHindrance(away, claims),
      ),
    }
  })
}

/** A node that did not claim the thread hinders nobody. */
const isHindrance = ({ kind, node, from }: Away, claims: readonly Move[]): boolean =>
  node === undefined || claims.some(({ owner, at }) => owner === node && (kind !== 'kill' || at <= from))

/** Whether the last turn that began has neither ended nor been parked. */
function isRunning(pages: readonly Page[]): boolean {
  let running: string | undefined
  for (const record of pages.flatMap(({ records }) => records)) {
    const begun = beginningOf(record)
    if (begun !== undefined) running = begun
    else if (running !== undefined && isPause(record, running)) running = undefined
  }
  return running !== undefined
}

function beginningOf(record: LedgerRecord): string | undefined {
  if (record.type === 'run-start') return record.run.depth === 0 ? record.run.runId : undefined
  return record.type === 'event' && record.event.type === 'turn-resume' ? record.event.runId : undefined
}

function isPause(record: LedgerRecord, runId: string): boolean {
  if (record.type === 'run-end') return record.runId === runId
  return record.type === 'event' && record.event.type === 'turn-park' && record.event.runId === runId
}

/** The time that 95 of 100 do not exceed, in whole milliseconds. 0 without any. */
export function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0)
}
