import { isToolOutcome } from '../../turn/tool/tool-outcome.ts'
import type { WorkerAnswer, WorkerTask } from './answer.ts'

/** Runs one call inside of a worker. Rejects with what the tool threw. */
export async function runTask({ module, args, call }: WorkerTask): Promise<WorkerAnswer> {
  const { run: tool } = (await import(module)) as { run?: unknown }
  if (typeof tool !== 'function') throw new TypeError(`${module} does not export a function "run"`)
  const value: unknown = await tool(args, call)
  if (!isToolOutcome(value)) return { type: 'value', value }
  const { ok, text, media, ...facts } = value
  return { type: 'outcome', ok, text, facts, ...(media ? { media } : undefined) }
}

// The fields by which the tool path knows what kind of error it was.
const FACTS = ['name', 'code', 'status', 'statusCode', 'httpStatus', 'exitCode', 'retryAfterMs'] as const

/** What a tool threw, as an answer. */
export function toThrown(error: unknown): WorkerAnswer {
  const isObject = typeof error === 'object' && error !== null
  const fields = isObject ? (error as Record<string, unknown>) : {}
  const facts = FACTS.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : []
  })
  const message = isObject ? fields['message'] : error
  return {
    type: 'thrown',
    message: typeof message === 'string' ? message : '',
    facts: Object.fromEntries(facts),
  }
}
