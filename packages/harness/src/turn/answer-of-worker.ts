import type { Worker } from 'node:worker_threads'

/** The first message of a worker. Rejects when it ends without one, and with the reason of `signal`. */
export function answerOfWorker<Answer>(worker: Worker, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (exitCode) => {
      signal.removeEventListener('abort', onAbort)
      reject(Object.assign(new Error('the thread ended without an answer'), { exitCode }))
    })
  })
}
