import type { RunId, ThreadId, TurnEvent, TurnEventBody, TurnEventEnvelope } from '@capstan/protocol'
import type { Clock } from './clock.ts'

/** Receives the numbered events of a thread. */
export interface EventSink {
  report(event: TurnEvent): void | Promise<void>
  /** Merges a delta into one that was not delivered yet, so that it needs no number. */
  merge?(runId: RunId, delta: DeltaBody): boolean
}

/** An event body with a `delta`. */
export type DeltaBody = Extract<TurnEventBody, { readonly delta: string }>

/** The events of one thread, numbered without gaps over all its turns and sub-agents. */
export class EventLine {
  readonly threadId: ThreadId
  readonly #clock: Clock
  readonly #sink: EventSink
  #seq: number

  constructor(threadId: ThreadId, clock: Clock, sink: EventSink, lastSeq = 0) {
    this.threadId = threadId
    this.#clock = clock
    this.#sink = sink
    this.#seq = lastSeq
  }

  /** Turns the body into the event, in place: a copy would cost twice as much. Pass a new object each time. */
  report(runId: RunId, body: TurnEventBody): void | Promise<void> {
    const { threadId } = this
    if (this.#sink.merge !== undefined && 'delta' in body && this.#sink.merge(runId, body)) return
    const seq = ++this.#seq
    const at = this.#clock.now()
    if (body.type === 'text-delta') {
      // Deltas are frequent, and a literal is cheaper.
      const { iteration, delta } = body
      return this.#sink.report({ type: 'text-delta', iteration, delta, threadId, runId, seq, at })
    }
    const event = body as TurnEventBody & {
      -readonly [Key in keyof TurnEventEnvelope]: TurnEventEnvelope[Key]
    }
    event.threadId = threadId
    event.runId = runId
    event.seq = seq
    event.at = at
    return this.#sink.report(event)
  }
}
