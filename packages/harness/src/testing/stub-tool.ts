import type { Tool, ToolContext } from '../turn/tool.ts'
import { defineTool } from '../turn/tool.ts'
import type { JsonObject } from '../turn/json.ts'

/** A tool in one line. Takes any arguments, and reads unless told otherwise. */
export function stubTool<Args = JsonObject>(
  name: string,
  run: (args: Args, context: ToolContext) => unknown = () => 'ok',
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
