import type { JsonObject } from '../turn/json.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Tool } from '../turn/tool.ts'
import { effectOf, higherEffect, reachesBeyond } from '../turn/tool.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail } from '../turn/tool-outcome.ts'

/**
 * Refuses a call that reaches further than its run may. `sent` are the arguments as the model wrote them, `checked`
 * as the tool will get them: a default, or a value that was mended, must not hide what the call does.
 */
export function checkReach(
  tool: Tool,
  sent: JsonObject,
  checked: unknown,
  run: RunContext,
): ToolOutcome | undefined {
  const effect = higherEffect(effectOf(tool, sent), effectOf(tool, checked as JsonObject))
  if (!reachesBeyond(effect, run.effectCeiling)) return undefined
  return fail(
    `"${tool.name}" would ${effect === 'admin' ? 'administer' : 'change'} something, and this run may only ` +
      `${run.effectCeiling}. Nothing was run. Tell the user instead of trying another way.`,
    { deniedBy: 'policy' },
  )
}
