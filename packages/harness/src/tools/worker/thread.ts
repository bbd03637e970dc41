import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerTask } from './answer.ts'
import { runTask, toThrown } from './run-task.ts'

// The other side of a trusted worker tool: runs one call and answers once.
try {
  parentPort!.postMessage(await runTask(workerData as WorkerTask), [])
} catch (error) {
  // Also when what was returned cannot cross threads, such as a function.
  parentPort!.postMessage(toThrown(error), [])
}
