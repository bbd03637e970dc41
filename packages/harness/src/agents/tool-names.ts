import type { ToolSource } from '../seams/seams.ts'
import type { Tool } from '../turn/tool/tool.ts'

/** The current names of these tools. */
export function toolNames(tools: readonly Tool[] | ToolSource): ReadonlySet<string> {
  return new Set('current' in tools ? tools.current().surface.names() : tools.map(({ name }) => name))
}
