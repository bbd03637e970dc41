import type { RunId, ThreadId, TurnEvent, TurnEventBody, TurnEventEnvelope } from '@capstan/protocol'
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

  /** The body becomes the event: it is stamped in place, because a copy costs twice as much, so hand over a new one. */
  report(runId: RunId, body: TurnEventBody): void | Promise<void> {
    const event = body as TurnEventBody & {
      -readonly [Key in keyof TurnEventEnvelope]: TurnEventEnvelope[Key]
    }
    event.threadId = this.threadId
    event.runId = runId
    event.seq = ++this.#seq
    event.at = this.#clock.now()
    return this.#report(event)
  }
}
