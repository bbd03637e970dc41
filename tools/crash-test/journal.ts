import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { TurnEvent } from '@capstan/protocol'

/** What reached the outside, in order. It is a file, so it survives every crash of the process. */
export type Line =
  /** An event reached the client. */
  | { readonly type: 'event'; readonly event: TurnEvent }
  /** An event reached the client out of order. */
  | { readonly type: 'gap' | 'repeat'; readonly event: TurnEvent; readonly last: number }
  /** A message was acknowledged, with its turn if that had begun. */
  | { readonly type: 'ack'; readonly id: string; readonly runId?: string }
  /** The turn of a message ended. */
  | { readonly type: 'end'; readonly id: string; readonly text: string }
  /** A message was sent to a running turn. */
  | { readonly type: 'sent'; readonly id: string }
  /** A message to a running turn was acknowledged. */
  | { readonly type: 'taken'; readonly id: string }
  /** A message to a running turn was delivered or refused. */
  | { readonly type: 'delivery'; readonly id: string; readonly refused?: string }
  /** A message to a running turn got neither. */
  | { readonly type: 'unanswered'; readonly id: string }
  /** A question was answered in words, and whether that was taken as an answer. */
  | {
      readonly type: 'word'
      readonly id: string
      readonly threadId: string
      readonly text: 'yes' | 'no'
      readonly approvalId: string
    }
  | { readonly type: 'word-end'; readonly id: string; readonly isAnswered: boolean }
  /** Words that had answered a question were sent again, and were not known. */
  | { readonly type: 'word-again'; readonly id: string }
  /** The parent damaged the write-ahead log. */
  | { readonly type: 'damage'; readonly how: string }
  /** Something happened to a node or to the database. For whoever reads the journal. */
  | { readonly type: 'disturbance'; readonly kind: string; readonly node?: string; readonly at: number }
  /** Somebody who watches has gone to this node. For whoever reads the journal. */
  | { readonly type: 'watch'; readonly threadId: string; readonly node: string; readonly at: number }
  /** The store told of a loss. The client starts again from what is left of each thread. */
  | { readonly type: 'loss'; readonly lastSeqs: Readonly<Record<string, number>> }
  /** A message was acknowledged before the loss, and is not known any more. */
  | { readonly type: 'gone'; readonly id: string }
  /** The process ended because of an error. */
  | { readonly type: 'error'; readonly text: string; readonly isPlanned: boolean }
  /** The store had a notice when it was opened. */
  | { readonly type: 'notice'; readonly text: string }
  /** An unhandled rejection. */
  | { readonly type: 'unhandled'; readonly text: string }
  /** Every step was done. */
  | { readonly type: 'finish' }

/** The journal of a round. */
export interface Journal {
  readonly lines: readonly Line[]
  add(line: Line): void
}

/** Reads the journal in a file, and appends to it. */
export function openJournal(path: string): Journal {
  const lines = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line)
    : []
  return {
    lines,
    add(line) {
      lines.push(line)
      appendFileSync(path, `${JSON.stringify(line)}\n`)
    },
  }
}
