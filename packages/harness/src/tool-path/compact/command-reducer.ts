// oxlint-disable unicorn/require-post-message-target-origin -- a worker is not a window
import { Worker } from 'node:worker_threads'
import { workerAddress } from '../../turn/own-files.ts'

/** Shortens what a known command printed, by rules that know the command. */
export interface CommandReducer {
  /**
   * Undefined when no rule knows the command, and whenever there is no answer in time. Never throws. While it is
   * waited for the process stays alive; an idle reducer lets it end.
   */
  readonly reduce: (command: string, text: string) => Promise<string | undefined>
}

/** A request to the worker, one at a time. Before the first one the worker sends `ready`. */
export interface ReduceRequest {
  readonly command: string
  readonly text: string
}
/** The answer of the worker. */
export interface ReduceReply {
  readonly text: string | undefined
}

/** The limits of the reducer. */
export interface ReducerLimits {
  /** For a request from the asking to the answer, and for the worker with each. */
  readonly deadlineMs: number
  /** For a worker to load. */
  readonly startMs: number
  readonly maxWaiting: number
  /** Workers that may be lost one after another before there is a rest. */
  readonly maxLosses: number
  readonly restMs: number
}

const LIMITS: ReducerLimits = {
  deadlineMs: 1_500,
  startMs: 10_000,
  maxWaiting: 16,
  maxLosses: 3,
  restMs: 60_000,
}

interface Pending extends ReduceRequest {
  readonly settle: (text: string | undefined) => void
}

/** One worker, started with the first request, given one request at a time, and replaced when it hangs or dies. */
export function createCommandReducer(
  limits: ReducerLimits = LIMITS,
  startWorker: () => Worker = startTokenjuice,
): CommandReducer {
  const waiting: Pending[] = []
  let running: Pending | undefined
  let current: { readonly worker: Worker; isReady: boolean } | undefined
  let watch: NodeJS.Timeout | undefined
  let losses = 0
  let restsUntil = 0

  const next = (): void => {
    if (running) return
    running = waiting.shift()
    if (!running) return
    const { command, text } = running
    try {
      current ??= start()
    } catch {
      // No thread can be started.
      giveUp()
      return
    }
    if (current.isReady) watchOver(current.worker, limits.deadlineMs)
    current.worker.postMessage({ command, text } satisfies ReduceRequest)
  }

  const start = () => {
    const worker = startWorker()
    watchOver(worker, limits.startMs)
    worker.on('message', (message: 'ready' | ReduceReply) => {
      if (current?.worker !== worker) return
      current.isReady = true
      clearTimeout(watch)
      if (message === 'ready') {
        if (running) watchOver(worker, limits.deadlineMs)
        return
      }
      losses = 0
      running?.settle(message.text)
      running = undefined
      next()
    })
    worker.on('error', () => lose(worker))
    worker.on('exit', () => lose(worker))
    worker.unref()
    return { worker, isReady: false }
  }

  const watchOver = (worker: Worker, ms: number): void => {
    clearTimeout(watch)
    watch = setTimeout(() => lose(worker), ms).unref()
  }

  const lose = (worker: Worker): void => {
    if (current?.worker !== worker) return
    current = undefined
    clearTimeout(watch)
    void worker.terminate()
    giveUp()
  }

  const giveUp = (): void => {
    losses++
    if (losses >= limits.maxLosses) {
      losses = 0
      restsUntil = performance.now() + limits.restMs
      for (const { settle } of waiting.splice(0)) settle(undefined)
    }
    running?.settle(undefined)
    running = undefined
    next()
  }

  const expire = (pending: Pending): void => {
    pending.settle(undefined)
    const index = waiting.indexOf(pending)
    if (index >= 0) waiting.splice(index, 1)
  }

  return {
    reduce(command, text) {
      if (waiting.length >= limits.maxWaiting || performance.now() < restsUntil)
        return Promise.resolve(undefined)
      return new Promise((resolve) => {
        const settle = (reduced: string | undefined) => {
          clearTimeout(deadline)
          resolve(reduced)
        }
        const pending: Pending = { command, text, settle }
        const deadline = setTimeout(() => expire(pending), limits.deadlineMs)
        waiting.push(pending)
        next()
      })
    },
  }
}

function startTokenjuice(): Worker {
  return new Worker(workerAddress('tool-path/compact/tokenjuice-worker'), {
    name: 'tokenjuice',
    // It needs nothing of this process: no secrets, no flags, nowhere to print.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
}
