import { createSurface } from '../../turn/surface.ts'
import type { Tool } from '../../turn/tool.ts'
import type { ToolSource } from '../seams.ts'

/** A tool source whose tools never change. */
export function createFixedTools(tools: readonly Tool[]): ToolSource {
  const current = { surface: createSurface(tools), notices: [] }
  return { current: () => current }
}
