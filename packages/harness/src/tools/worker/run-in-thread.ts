import { Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerTask } from './answer.ts'

/** Runs one call in a thread of this process. Rejects with the reason of `signal` as soon as it is aborted. */
export async function runInThread(
  task: WorkerTask,
  {
    maxOldGenerationSizeMb,
    signal,
  }: { readonly maxOldGenerationSizeMb: number; readonly signal: AbortSignal },
): Promise<WorkerAnswer> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb },
  })
  try {
    return await answerOf(worker, signal)
  } finally {
    await worker.terminate()
  }
}

function answerOf(worker: Worker, signal: AbortSignal): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (exitCode) => {
      signal.removeEventListener('abort', onAbort)
      reject(Object.assign(new Error('the tool ended its thread without an answer'), { exitCode }))
    })
  })
}
