import type { ModelRequest } from '../models/model-client.ts'
import { ModelError } from '../turn/errors.ts'
import type { ReplyBuilder } from './reply-builder.ts'
import type { Turn } from './turn.ts'

/**
 * Reads one reply under three clocks: silence, the whole call, and what is left of the turn. A model that ignores
 * the abort is left behind, and one that never closes its stream is not waited for.
 */
export function readStream(turn: Turn, request: ModelRequest, builder: ReplyBuilder): Promise<void> {
  const { run, model, limits } = turn
  const { clock } = run
  const controller = new AbortController()
  const endAt = clock.monotonic() + Math.min(limits.model.totalTimeoutMs, run.budget.remainingMs())
  let movedAt = clock.monotonic()
  let watcherIsSlow = false
  let disarm = () => {}

  return new Promise<void>((resolve, reject) => {
    let finished = false
    const read = async () => {
      for await (const part of model.stream(request, controller.signal)) {
        if (controller.signal.aborted) return // left behind
        if (finished) continue
        movedAt = clock.monotonic()
        const slow = builder.add(part)
        if (slow) {
          watcherIsSlow = true
          await slow
          watcherIsSlow = false
          movedAt = clock.monotonic()
        }
        if (part.type !== 'finish') continue
        // The rest is read to its end, so that the connection can serve the next call, but nobody waits for it.
        finished = true
        resolve()
      }
    }
    const settle = (end: () => void) => {
      disarm()
      run.signal.removeEventListener('abort', onAbort)
      end()
    }
    const interrupt = (reason: unknown) => {
      controller.abort(reason)
      settle(() => reject(reason))
    }
    const onAbort = () => interrupt(run.signal.reason)
    // One timer per call, set anew only when it fires: a timer per delta would cost more than the delta.
    const watch = () => {
      const now = clock.monotonic()
      const idleAt = (watcherIsSlow ? now : movedAt) + limits.model.idleTimeoutMs
      if (now >= endAt) return interrupt(timeout('total-timeout', model.id))
      if (now >= idleAt) return interrupt(timeout('idle-timeout', model.id))
      disarm = clock.after(Math.min(idleAt, endAt) - now, watch)
    }
    if (run.signal.aborted) return reject(run.signal.reason)
    run.signal.addEventListener('abort', onAbort, { once: true })
    watch()
    if (controller.signal.aborted) return
    read().then(
      () => settle(resolve),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}

function timeout(kind: 'idle-timeout' | 'total-timeout', model: string): ModelError {
  return new ModelError(`the model call ran into its ${kind}`, { kind, model, retryable: true })
}
