import type { Surface } from '../../turn/tool/surface.ts'
import type { Tool } from '../../turn/tool/tool.ts'

/** Finds the tools that a reply may call by position or without a tag. */
export interface KnownTools {
  readonly find: (name: string) => Pick<Tool, 'input'> | undefined
}

/** Knows the tools of a surface, announced ones included. Without a surface every name counts as a tool. */
export function toKnownTools(surface: Surface | undefined): KnownTools {
  if (!surface) return { find: () => ({ input: {} }) }
  return {
    find: (name) =>
      surface.tools.find((tool) => tool.name === name) ?? surface.resolve({ tool: name, arguments: {} }).tool,
  }
}
