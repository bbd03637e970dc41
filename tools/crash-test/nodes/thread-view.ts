import type { TurnEvent, TurnOutcome } from '@capstan/protocol'

/** What somebody who follows a thread knows of it. */
export interface ThreadView {
  see(event: TurnEvent): void
  /** No turn of the thread runs or waits. */
  isFree(): boolean
  /** Questions that nobody has answered, as far as the events say. */
  open(): ReadonlySet<string>
  outcomeOf(messageId: string): TurnOutcome | undefined
  /** Settles when it holds, asked again after every event. Throws after a time in which every turn should have moved. */
  until(what: string, holds: () => boolean): Promise<void>
}

const GIVES_UP_MS = 45_000

export function createThreadView(): ThreadView {
  const running = new Set<string>()
  const questions = new Set<string>()
  const runs = new Map<string, string>()
  const outcomes = new Map<string, TurnOutcome>()
  const waiters = new Set<() => void>()

  function fold(event: TurnEvent): void {
    if (event.type === 'turn-start' && event.depth === 0) {
      running.add(event.runId)
      for (const id of [event.messageId, ...(event.messageIds ?? [])])
        if (id !== undefined) runs.set(id, event.runId)
    }
    if (event.type === 'turn-end') {
      running.delete(event.runId)
      outcomes.set(event.runId, event.outcome)
    }
    if (event.type === 'approval-request') questions.add(event.approvalId)
    if (event.type === 'approval-answer') questions.delete(event.approvalId)
  }
  return {
    see(event) {
      fold(event)
      for (const look of waiters) look()
    },
    isFree: () => running.size === 0,
    open: () => questions,
    outcomeOf: (messageId) => outcomes.get(runs.get(messageId) ?? ''),
    until: (what, holds) =>
      new Promise((resolve, reject) => {
        const settle = (done: () => void): void => {
          waiters.delete(look)
          clearTimeout(timer)
          done()
        }
        const look = (): void => {
          if (holds()) settle(resolve)
        }
        const timer = setTimeout(
          () => settle(() => reject(new Error(`waited in vain for ${what}`))),
          GIVES_UP_MS,
        )
        waiters.add(look)
        look()
      }),
  }
}
