import type { RunContext } from '../turn/run-context.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { reachesBeyond } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'

/** Refuses a call whose effect is above the ceiling of its run. */
export function checkReach(tool: Tool, effect: Effect, run: RunContext): ToolOutcome | undefined {
  if (!reachesBeyond(effect, run.effectCeiling)) return undefined
  return fail(
    `"${tool.name}" would ${effect === 'admin' ? 'administer' : 'change'} something, and this run may only ` +
      `${run.effectCeiling}. Nothing was run. Tell the user instead of trying another way.`,
    { deniedBy: 'policy' },
  )
}
