import type { RunId } from '@capstan/protocol'
import type { Call, Note, Run, Turn } from './thread-view.ts'
import { isOpen, rootOf } from './thread-view.ts'

/** One line of a timeline. A deeper row belongs to the last row above it that is less deep. */
export interface Row {
  /** 0 for the turn itself, 1 for a sub-agent it called, and so on. */
  readonly depth: number
  readonly runId: RunId
  readonly item: Call | Note
}

/**
 * The calls and notes of a turn in reading order, sub-agents below the call they work for. A call the model is still
 * writing has no row. A call that has ended gets no more rows below it, so a line once printed stays true.
 */
export function rowsOf(turn: Turn): readonly Row[] {
  const rows: Row[] = []
  addRows(rows, turn, rootOf(turn), 0, Infinity)
  return rows
}

function addRows(rows: Row[], turn: Turn, run: Run, depth: number, endKey: number): void {
  for (const { items } of run.iterations) {
    for (const item of items) {
      if (item.type === 'text' || item.type === 'thinking' || item.key > endKey) continue
      if (item.type === 'call' && item.status === 'writing') continue
      rows.push({ depth, runId: run.id, item })
      if (item.type === 'call') addChildren(rows, turn, item, depth + 1)
    }
  }
}

function addChildren(rows: Row[], turn: Turn, { children, endKey = Infinity }: Call, depth: number): void {
  for (const id of children) {
    const child = turn.runs.get(id)
    if (child) addRows(rows, turn, child, depth, endKey)
  }
}

/** Whether a row may still change or get rows below it. */
export function isOpenRow({ item }: Row): boolean {
  return item.type === 'call' && isOpen(item)
}
