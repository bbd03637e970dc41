import type { ModelClient, ModelRequest } from '../models/model-client.ts'
import { ModelError } from '../turn/errors.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { ReplyBuilder } from './reply-builder.ts'
import type { ModelLimits } from './turn.ts'

/** After a pause of this length the watchers are told. */
const QUIET_AFTER_MS = 10_000

/** One reply that is streaming. */
interface Reading {
  readonly endAt: number
  movedAt: number
  /** True while a watcher handles a part: the model waits for us. */
  watcherIsSlow: boolean
  /** When the pause that was told began. */
  toldAt?: number
  readonly iteration: number
  readonly model: ModelClient
  readonly reject: (reason: unknown) => void
}

/**
 * Reads the replies of one turn under three time limits: idle, total, and the rest of the turn. A model that ignores the
 * abort is abandoned, and one that never closes its stream is not awaited.
 *
 * A turn has one watch, because timer, abort signal and listener serve all its calls: the timer is set again only when it
 * fires, and the signal is replaced only after it was used.
 */
export class StreamWatch {
  readonly #run: RunContext
  readonly #limits: ModelLimits
  #controller = new AbortController()
  #reading: Reading | undefined
  #listens = false
  #firesAt = Infinity
  #disarm = (): void => {}
  /** When the first part of the last reply came, on the monotonic clock. */
  firstPartAt: number | undefined

  constructor(run: RunContext, limits: ModelLimits) {
    this.#run = run
    this.#limits = limits
  }

  read(model: ModelClient, request: ModelRequest, builder: ReplyBuilder, iteration: number): Promise<void> {
    const { clock, signal, budget } = this.#run
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const now = clock.monotonic()
      const endAt = now + Math.min(this.#limits.totalTimeoutMs, budget.remainingMs())
      const reading: Reading = { endAt, movedAt: now, watcherIsSlow: false, iteration, model, reject }
      this.#reading = reading
      this.firstPartAt = undefined
      if (!this.#listens) signal.addEventListener('abort', this.#onAbort, { once: true })
      this.#listens = true
      this.#arm(now)
      if (this.#reading !== reading) return
      const done = (settle: () => void) => {
        if (this.#reading === reading) this.#reading = undefined
        settle()
      }
      model
        .stream(request, this.#controller.signal, (part) => {
          if (this.#reading !== reading) return // abandoned, or finished
          reading.movedAt = clock.monotonic()
          this.firstPartAt ??= reading.movedAt
          const slow = builder.add(part)
          if (slow) return this.#wait(reading, slow, part.type === 'finish' ? () => done(resolve) : undefined)
          if (part.type === 'finish') done(resolve)
        })
        .then(
          () => done(resolve),
          (error: unknown) => done(() => reject(error)),
        )
    })
  }

  /** The turn is over: removes the timer and the listener. */
  close(): void {
    this.#disarm()
    this.#firesAt = Infinity
    if (this.#listens) this.#run.signal.removeEventListener('abort', this.#onAbort)
    this.#listens = false
  }

  async #wait(reading: Reading, slow: Promise<void>, then: (() => void) | undefined): Promise<void> {
    reading.watcherIsSlow = true
    await slow
    reading.watcherIsSlow = false
    reading.movedAt = this.#run.clock.monotonic()
    then?.()
  }

  #arm(now: number): void {
    const reading = this.#reading
    if (!reading) return
    const { endAt, model } = reading
    const idleAt = (reading.watcherIsSlow ? now : reading.movedAt) + this.#limits.idleTimeoutMs
    if (now >= endAt) return this.#interrupt(timeout('total-timeout', model.id))
    if (now >= idleAt) return this.#interrupt(timeout('idle-timeout', model.id))
    const quietAt = this.#tellQuiet(reading, now)
    const firesAt = Math.min(idleAt, endAt, quietAt)
    if (firesAt >= this.#firesAt) return
    this.#disarm()
    this.#firesAt = firesAt
    this.#disarm = this.#run.clock.after(firesAt - now, () => {
      this.#firesAt = Infinity
      this.#arm(this.#run.clock.monotonic())
    })
  }

  /** Tells the watchers of a long pause, once. Answers with when to look again. */
  #tellQuiet(reading: Reading, now: number): number {
    const { movedAt, watcherIsSlow, iteration, model } = reading
    const quietAt = (watcherIsSlow ? now : movedAt) + QUIET_AFTER_MS
    if (reading.toldAt === movedAt) return Infinity
    if (now < quietAt) return quietAt
    reading.toldAt = movedAt
    const limitMs = Math.round(Math.min(this.#limits.idleTimeoutMs, reading.endAt - movedAt))
    const waitedMs = Math.round(now - movedAt)
    void this.#run.report({ type: 'model-wait', iteration, model: model.id, waitedMs, limitMs })
    return Infinity
  }

  #interrupt(reason: unknown): void {
    const reading = this.#reading
    this.#reading = undefined
    const controller = this.#controller
    this.#controller = new AbortController()
    controller.abort(reason)
    reading?.reject(reason)
  }

  readonly #onAbort = (): void => {
    this.#listens = false
    this.#interrupt(this.#run.signal.reason)
  }
}

function timeout(kind: 'idle-timeout' | 'total-timeout', model: string): ModelError {
  return new ModelError(`the model call ran into its ${kind}`, { kind, model, retryable: true })
}
