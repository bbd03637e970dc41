import type { RunId, ThreadId, TurnEvent, TurnEventBody } from '@capstan/protocol'
import type { Clock } from './clock.ts'

type Report = (event: TurnEvent) => void | Promise<void>

/** The events of one thread, numbered without gaps over all its turns and sub-agents. */
export class EventLine {
  readonly threadId: ThreadId
  readonly #clock: Clock
  readonly #report: Report
  #seq: number

  constructor(threadId: ThreadId, clock: Clock, report: Report, lastSeq = 0) {
    this.threadId = threadId
    this.#clock = clock
    this.#report = report
    this.#seq = lastSeq
  }

  report(runId: RunId, body: TurnEventBody): void | Promise<void> {
    const { threadId } = this
    const seq = ++this.#seq
    const at = this.#clock.now()
    if (body.type === 'text-delta') {
      // Deltas come by the thousand, and a literal costs a third of a spread.
      const { iteration, delta } = body
      return this.#report({ type: 'text-delta', iteration, delta, threadId, runId, seq, at })
    }
    return this.#report({ ...body, threadId, runId, seq, at })
  }
}
