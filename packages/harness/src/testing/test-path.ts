import { createToolServices } from '../entry-points/tool-services.ts'
import type { SafetyOptions } from '../entry-points/tool-services.ts'
import type { ToolLimits, ToolPath } from '../tool-path/tool-path.ts'
import { TOOL_LIMITS } from '../tool-path/tool-path.ts'
import type { RunContext } from '../turn/run-context.ts'
import { createSurface } from '../turn/tool/surface.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { ALLOW_ALL } from './allow-all.ts'
import { createTestRun } from './test-run.ts'

/** A tool path without an entry point. It allows every call unless `safety` says otherwise. */
export function createTestPath(
  tools: readonly Tool[],
  more: {
    readonly run?: RunContext
    readonly limits?: Partial<ToolLimits>
    readonly safety?: SafetyOptions
  } = {},
): ToolPath {
  return {
    run: more.run ?? createTestRun(),
    surface: createSurface(tools),
    iteration: 3,
    limits: { ...TOOL_LIMITS, ...more.limits },
    services: createToolServices({ ...ALLOW_ALL, ...more.safety }),
  }
}
