import type { OutboxItem } from '../state/outbox.ts'
import type { CallTarget } from '../state/thread-scope.ts'
import type { Turn } from '@capstan/client'
import { containsCall } from '../timeline/timeline.tsx'

/** One row of the conversation. */
export type MessageRow =
  | { readonly type: 'user' | 'answer'; readonly turn: Turn }
  | { readonly type: 'outbox'; readonly item: OutboxItem }

/** A message and an answer for each turn, then the messages that are not sent yet. */
export function toRows(turns: readonly Turn[], items: readonly OutboxItem[]): readonly MessageRow[] {
  const rows: MessageRow[] = []
  for (const turn of turns) rows.push({ type: 'user', turn }, { type: 'answer', turn })
  for (const item of items) rows.push({ type: 'outbox', item })
  return rows
}

/** The key of a row stays the same while the list grows. */
export function keyOf(row: MessageRow | undefined): string {
  if (!row) return ''
  return row.type === 'outbox' ? row.item.messageId : `${row.type}:${row.turn.runId}`
}

/** The row that a link points to, or -1. */
export function indexOfLink(
  rows: readonly MessageRow[],
  target: CallTarget | undefined,
  runId: string | undefined,
): number {
  if (!target && runId === undefined) return -1
  return rows.findIndex(
    (row) =>
      row.type === 'answer' &&
      (target ? containsCall(row.turn, target) : [...row.turn.runs.keys()].some((id) => id === runId)),
  )
}
