import type { CallId } from '@capstan/protocol'
import { checkArguments } from '../tool-path/check-arguments.ts'
import { toOutcome, toThrownOutcome } from '../tool-path/to-outcome.ts'
import type { JsonObject } from '../turn/json.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Tool } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { createTestRun } from './test-run.ts'

/** Calls one tool: checks its arguments, but passes no gate and does not change its output. */
export async function tryTool(
  tool: Tool,
  args: JsonObject = {},
  {
    signal = new AbortController().signal,
    run = createTestRun(),
  }: { readonly signal?: AbortSignal; readonly run?: RunContext } = {},
): Promise<ToolOutcome> {
  const checked = await checkArguments(tool, args)
  if ('refusal' in checked) return checked.refusal
  try {
    const callId = 'call_test' as CallId
    const context = { callId, idempotencyKey: `${run.threadId}/${callId}`, signal, run }
    return toOutcome(await tool.run(checked.value as never, context))
  } catch (thrown) {
    return toThrownOutcome(thrown)
  }
}
