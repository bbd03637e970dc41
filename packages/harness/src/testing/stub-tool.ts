import type { Tool, ToolContext } from '../turn/tool.ts'
import { defineTool } from '../turn/tool.ts'
import type { JsonObject } from '../turn/json.ts'

// As a method, so that a test may say which arguments it expects.
interface Runs {
  run(args: JsonObject, context: ToolContext): unknown
}

/** A tool in one line. Takes any arguments, and reads unless told otherwise. */
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
