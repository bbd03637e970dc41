import type { Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import type { JsonObject } from '../turn/json.ts'

// A method, so that a test may type the arguments it expects.
interface Runs {
  run(args: JsonObject, context: ToolContext): unknown
}

/** A tool in one line. It takes any arguments, and its effect is `read` by default. */
export function stubTool(
  name: string,
  run: Runs['run'] = () => 'ok',
  more: Partial<Omit<Tool, 'name' | 'run'>> = {},
): Tool {
  return defineTool({
    description: `does ${name}`,
    input: { type: 'object' },
    effect: 'read',
    ...more,
    name,
    run: run as never,
  })
}
