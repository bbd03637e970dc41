import { Worker } from 'node:worker_threads'
import type { DescribedSchema, Effect, JsonSchema, Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import type { JsonObject } from '../turn/json.ts'
import type { WorkerAnswer, WorkerTask } from './worker/answer.ts'

/** The fields of a worker tool. */
export type WorkerToolFields = Omit<Tool, 'run' | 'effect' | 'input'> & {
  readonly input: JsonSchema | DescribedSchema
  readonly effect?: Effect | ((args: JsonObject) => Effect)
  /** Exports `run(args, { callId, idempotencyKey })`. What it takes and returns must be plain data. */
  readonly module: URL
  /** Memory of the thread, beyond which it is ended. Default 512. */
  readonly maxOldGenerationSizeMb?: number
}

/**
 * A tool that runs in a thread of its own, one per call: it may keep a core busy, and is really ended when the call is
 * stopped, whether it listens or not. What it was in the middle of stays undone.
 */
export function defineWorkerTool({ module, maxOldGenerationSizeMb = 512, ...tool }: WorkerToolFields): Tool {
  return defineTool({
    ...tool,
    run: (args, context) => runInThread({ module, args, context, maxOldGenerationSizeMb }),
  })
}

interface ThreadRun {
  readonly module: URL
  readonly args: unknown
  readonly context: ToolContext
  readonly maxOldGenerationSizeMb: number
}

async function runInThread({ module, args, context, maxOldGenerationSizeMb }: ThreadRun): Promise<unknown> {
  const { callId, idempotencyKey, signal } = context
  signal.throwIfAborted()
  const task: WorkerTask = { module: module.href, args, call: { callId, idempotencyKey } }
  const worker = new Worker(new URL('./worker/thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb },
  })
  try {
    return toResult(await answerOf(worker, signal))
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

function toResult(answer: WorkerAnswer): unknown {
  switch (answer.type) {
    case 'value':
      return answer.value
    case 'outcome':
      return answer.ok
        ? succeed(answer.text, answer.media ? { media: answer.media } : {})
        : fail(answer.text, answer.facts)
    case 'thrown':
      throw Object.assign(new Error(answer.message), answer.facts)
  }
}
