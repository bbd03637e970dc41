import { hash, randomBytes } from 'node:crypto'
import type { CallId, RunId } from '@capstan/protocol'

/**
 * The trace of a turn. It follows from the id of the run, so that a turn that goes on after a crash, or on another
 * machine, stays in its trace.
 */
export const traceIdOf = (turn: RunId): string => toId(`trace ${turn}`, 32)

/** The span of a run. */
export const runSpanIdOf = (runId: RunId): string => toId(`run ${runId}`, 16)

/** The span of a call. Known before the span is made, so that what happens below the call can name its parent. */
export const callSpanIdOf = (runId: RunId, callId: CallId): string => toId(`call ${runId} ${callId}`, 16)

const toId = (text: string, digits: number): string => hash('sha256', text).slice(0, digits)

/** The ids of the next span. */
interface NextIds {
  readonly traceId?: string
  readonly spanId: string
}

/**
 * Makes the ids of spans: those of a run or a call follow from its id, all others are random. The tracer provider has to
 * use it as its id generator.
 */
export class RunIds {
  #next: NextIds | undefined

  /** Runs `start`, whose first span gets these ids. */
  use<T>(next: NextIds, start: () => T): T {
    this.#next = next
    try {
      return start()
    } finally {
      this.#next = undefined
    }
  }

  // Called for each span, the span id first.
  readonly generateSpanId = (): string => this.#next?.spanId ?? randomBytes(8).toString('hex')
  readonly generateTraceId = (): string => this.#next?.traceId ?? randomBytes(16).toString('hex')
}
