import type { LedgerRecord } from '@capstan/harness/stores'
import type { MoveLog, Page } from './judge-moves.ts'

/** A node that was killed or frozen. */
export interface Strike {
  readonly kind: 'kill' | 'freeze'
  readonly node: string
  readonly at: number
}

/** How long the turns of the node stood still: from the strike to what the next node wrote first. */
export function takeoverTimes({ moves, pages }: MoveLog, { node, at }: Strike): readonly number[] {
  const threads = new Set(moves.map(({ thread }) => thread))
  return [...threads].flatMap((thread) => {
    const own = pages.filter((page) => page.thread === thread)
    const owner = moves.findLast((move) => move.thread === thread && move.at <= at)?.owner
    if (owner !== node || !isRunning(own.filter((page) => page.at <= at))) return []
    const next = own.find((page) => page.at > at)
    return next === undefined || next.node === node ? [] : [next.at - at]
  })
}

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
