import type { Tool } from './tool.ts'

/**
 * The tools a run may use now. Immutable: a change is a new surface with a new version. `tools` travel with
 * the request; `find` may know more, for tools that are announced in the conversation instead.
 */
export interface Surface {
  readonly version: number
  readonly tools: readonly Tool[]
  readonly find: (name: string) => Tool | undefined
}

let versions = 0

/** The first tool of a name wins, so a late one can never replace what the model already knows. */
export function createSurface(tools: readonly Tool[], alsoCallable: readonly Tool[] = []): Surface {
  const byName = new Map<string, Tool>()
  for (const tool of [...tools, ...alsoCallable]) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  const offered = [...new Set(tools)].filter((tool) => byName.get(tool.name) === tool)
  return { version: ++versions, tools: offered, find: (name) => byName.get(name) }
}

export const NO_TOOLS: Surface = createSurface([])
