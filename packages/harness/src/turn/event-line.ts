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
    return this.#report({ ...body, threadId: this.threadId, runId, seq: ++this.#seq, at: this.#clock.now() })
  }
}
