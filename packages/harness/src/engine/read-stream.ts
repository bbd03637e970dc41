import type { ModelRequest } from '../models/model-client.ts'
import { ModelError } from '../turn/errors.ts'
import type { ReplyBuilder } from './reply-builder.ts'
import type { Turn } from './turn.ts'

/**
 * Reads one stream to its end under three clocks: silence, the whole call, and what is left of the turn. A
 * model that ignores the abort is left behind.
 */
export async function readStream(turn: Turn, request: ModelRequest, builder: ReplyBuilder): Promise<void> {
  const { run, model, limits } = turn
  const { clock } = run
  const controller = new AbortController()
  const totalMs = Math.min(limits.model.totalTimeoutMs, run.budget.remainingMs())
  const endAt = clock.monotonic() + totalMs
  let movedAt = clock.monotonic()
  let rejectPending: ((reason: unknown) => void) | undefined
  let disarm = () => {}

  const interrupt = (reason: unknown) => {
    controller.abort(reason)
    rejectPending?.(reason)
  }
  const onAbort = () => interrupt(run.signal.reason)
  // One timer per call, set anew only when it fires: a timer per delta would cost more than the delta.
  const watch = () => {
    const now = clock.monotonic()
    const idleAt = movedAt + limits.model.idleTimeoutMs
    if (now >= endAt) return interrupt(timeout('total-timeout', model.id))
    if (now >= idleAt) return interrupt(timeout('idle-timeout', model.id))
    disarm = clock.after(Math.min(idleAt, endAt) - now, watch)
  }

  run.signal.addEventListener('abort', onAbort, { once: true })
  watch()
  const iterator = model.stream(request, controller.signal)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await new Promise<IteratorResult<Parameters<ReplyBuilder['add']>[0]>>(
        (resolve, reject) => {
          rejectPending = reject
          iterator.next().then(resolve, reject)
          if (controller.signal.aborted) reject(controller.signal.reason)
        },
      )
      if (done) return
      movedAt = clock.monotonic()
      const slow = builder.add(value)
      if (slow) await slow
    }
  } finally {
    disarm()
    run.signal.removeEventListener('abort', onAbort)
    if (controller.signal.aborted) void iterator.return?.().then(undefined, () => {})
  }
}

function timeout(kind: 'idle-timeout' | 'total-timeout', model: string): ModelError {
  return new ModelError(`the model call ran into its ${kind}`, { kind, model, retryable: true })
}
