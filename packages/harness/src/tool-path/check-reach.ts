import type { JsonObject } from '../turn/json.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Tool } from '../turn/tool.ts'
import { effectOf, reachesBeyond } from '../turn/tool.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail } from '../turn/tool-outcome.ts'

/** Refuses a call that reaches further than its run may. */
export function checkReach(tool: Tool, args: JsonObject, run: RunContext): ToolOutcome | undefined {
  const effect = effectOf(tool, args)
  if (!reachesBeyond(effect, run.effectCeiling)) return undefined
  return fail(
    `"${tool.name}" would ${effect === 'admin' ? 'administer' : 'change'} something, and this run may only ` +
      `${run.effectCeiling}. Nothing was run. Tell the user instead of trying another way.`,
    { deniedBy: 'policy' },
  )
}
