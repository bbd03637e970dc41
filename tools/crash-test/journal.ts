import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { TurnEvent } from '@capstan/protocol'

/** What the outside world got to know, in order. It survives every crash, because it is not the process's memory. */
export type Line =
  /** An event reached the client. */
  | { readonly type: 'event'; readonly event: TurnEvent }
  /** An event reached the client that was not the next one. */
  | { readonly type: 'gap' | 'repeat'; readonly event: TurnEvent; readonly last: number }
  /** A message was acknowledged. */
  | { readonly type: 'ack'; readonly id: string; readonly runId: string }
  /** The turn of a message ended. */
  | { readonly type: 'end'; readonly id: string; readonly text: string }
  /** A message is on its way into a turn that is running. */
  | { readonly type: 'said'; readonly id: string }
  /** A message said during a turn was shown to the model, or refused. */
  | { readonly type: 'delivery'; readonly id: string; readonly refused?: string }
  /** A message said during a turn was never answered. */
  | { readonly type: 'silence'; readonly id: string }
  /** The process gave up, because something failed. */
  | { readonly type: 'error'; readonly text: string; readonly isMeant: boolean }
  /** The store has something to say about how it was opened. */
  | { readonly type: 'notice'; readonly text: string }
  /** A rejection nobody handled. */
  | { readonly type: 'unhandled'; readonly text: string }
  /** Every step was done. */
  | { readonly type: 'finish' }

export interface Journal {
  readonly lines: readonly Line[]
  add(line: Line): void
}

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
