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
    const { threadId } = this
    const seq = ++this.#seq
    const at = this.#clock.now()
    if (body.type === 'text-delta') {
      // They come by the thousand, and a literal is cheaper still.
      const { iteration, delta } = body
      return this.#report({ type: 'text-delta', iteration, delta, threadId, runId, seq, at })
    }
    const event = body as TurnEventBody & {
      -readonly [Key in keyof TurnEventEnvelope]: TurnEventEnvelope[Key]
    }
    event.threadId = threadId
    event.runId = runId
    event.seq = seq
    event.at = at
    return this.#report(event)
  }
}
