import { Worker } from 'node:worker_threads'
import { answerOfWorker } from '../../turn/answer-of-worker.ts'
import { workerAddress } from '../../turn/own-files.ts'
import type { WorkerAnswer, WorkerTask } from './answer.ts'

/** Runs one call in a thread of this process. Rejects with the reason of `signal` as soon as it is aborted. */
export async function runInThread(
  task: WorkerTask,
  {
    maxOldGenerationSizeMb,
    signal,
  }: { readonly maxOldGenerationSizeMb: number; readonly signal: AbortSignal },
): Promise<WorkerAnswer> {
  const worker = new Worker(workerAddress('tools/worker/thread'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb },
  })
  try {
    return await answerOfWorker<WorkerAnswer>(worker, signal)
  } finally {
    await worker.terminate()
  }
}
