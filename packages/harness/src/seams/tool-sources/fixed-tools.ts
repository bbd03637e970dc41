import { createSurface } from '../../turn/tool/surface.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import type { ToolSource } from '../seams.ts'

/** A tool source whose tools never change. */
export function createFixedTools(tools: readonly Tool[]): ToolSource {
  const current = { surface: createSurface(tools), notices: [] }
  return { current: () => current }
}
