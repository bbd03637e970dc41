import type { Sandbox, SandboxFolder, SandboxNetwork } from '../ports/sandbox.ts'
import type { DescribedSchema, Effect, JsonSchema, Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import type { JsonObject } from '../turn/json.ts'
import { refuseUnconfined } from './refuse-unconfined.ts'
import type { WorkerAnswer, WorkerTask } from './worker/answer.ts'
import { runConfined } from './worker/run-confined.ts'
import { runInThread } from './worker/run-in-thread.ts'

/** Where the code of a worker tool runs, and what it may reach. */
export interface WorkerPlace {
  /** Exports `run(args, { callId, idempotencyKey })`. What it takes and returns must be plain data. */
  readonly module: URL
  /** Confines it. Without one it is not run, unless it is trusted. */
  readonly sandbox?: Sandbox
  /** What it sees beside the folder of its module, which it may read. */
  readonly folders?: readonly SandboxFolder[]
  /** Default `off`. */
  readonly network?: SandboxNetwork
  /** It is code of this program itself: it runs in a thread with all rights, and no sandbox. Default false. */
  readonly isTrusted?: boolean
  /** Memory of its heap, beyond which it is ended. Default 512. */
  readonly maxOldGenerationSizeMb?: number
}

/** The fields of a worker tool. */
export type WorkerToolFields = Omit<Tool, 'run' | 'effect' | 'input'> &
  WorkerPlace & {
    readonly input: JsonSchema | DescribedSchema
    readonly effect?: Effect | ((args: JsonObject) => Effect)
  }

/**
 * A tool that runs in a confined process of its own, one per call: it sees its folders and nothing else, may keep a core
 * busy, and is really ended when the call is stopped, whether it listens or not. What it was in the middle of stays
 * undone.
 */
export function defineWorkerTool(fields: WorkerToolFields): Tool {
  const { module, sandbox, folders, network, isTrusted, maxOldGenerationSizeMb, ...tool } = fields
  const place = { module, sandbox, folders, network, isTrusted, maxOldGenerationSizeMb }
  return defineTool({ ...tool, run: (args, context) => runWorker(place, args, context) })
}

async function runWorker(place: WorkerPlace, args: unknown, context: ToolContext): Promise<unknown> {
  const { module, sandbox, folders = [], network = 'off', maxOldGenerationSizeMb = 512 } = place
  const { callId, idempotencyKey, signal } = context
  signal.throwIfAborted()
  const task: WorkerTask = { module: module.href, args, call: { callId, idempotencyKey } }
  try {
    const answer =
      place.isTrusted === true
        ? await runInThread(task, { maxOldGenerationSizeMb, signal })
        : await runConfined(task, { sandbox, folders, network, maxOldGenerationSizeMb, signal })
    return toResult(answer)
  } catch (error) {
    return refuseUnconfined(error)
  }
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
