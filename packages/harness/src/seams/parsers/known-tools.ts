import type { Surface } from '../../turn/surface.ts'
import type { Tool } from '../../turn/tool.ts'

/** The tools that a reply may call by position, or without a tag. */
export interface KnownTools {
  readonly find: (name: string) => Pick<Tool, 'input'> | undefined
}

/** Also knows the tools that were announced instead of sent. Without a surface every name counts. */
export function toKnownTools(surface: Surface | undefined): KnownTools {
  if (!surface) return { find: () => ({ input: {} }) }
  return {
    find: (name) =>
      surface.tools.find((tool) => tool.name === name) ?? surface.resolve({ tool: name, arguments: {} }).tool,
  }
}
