import type { JsonObject } from './json.ts'
import type { Tool } from './tool.ts'
import { toJsonSchema } from './tool.ts'

/**
 * The tools a run may use now. Immutable: a change is a new surface with a new version. `tools` travel with
 * the request; `resolve` may know more, for tools that are announced in the conversation instead.
 */
export interface Surface {
  readonly version: number
  readonly tools: readonly Tool[]
  /** Which tool a call means. Never throws; an unknown name has no `tool`. */
  resolve(call: AskedCall): Target
  /** What a conversation with this surface knows besides the tools, such as the connected apps. */
  readonly announced?: readonly string[]
  /** Every name that may be called, for the answer to an unknown one. */
  names(): readonly string[]
}

export interface AskedCall {
  readonly tool: string
  readonly arguments: JsonObject
}

export interface Target {
  readonly name: string
  readonly arguments: JsonObject
  readonly tool: Tool | undefined
}

let versions = 0

/** A version no surface had before. */
export const nextSurfaceVersion = (): number => ++versions

/**
 * Two tools of one name keep the first: a later one never replaces what the model already knows. Throws for a schema
 * that cannot be described to a model, so that it is not found out in the middle of a turn.
 */
export function createSurface(tools: readonly Tool[]): Surface {
  const byName = new Map<string, Tool>()
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  for (const tool of byName.values()) toJsonSchema(tool.input)
  return {
    version: nextSurfaceVersion(),
    tools: [...byName.values()],
    resolve: (call) => ({ name: call.tool, arguments: call.arguments, tool: byName.get(call.tool) }),
    names: () => [...byName.keys()],
  }
}
