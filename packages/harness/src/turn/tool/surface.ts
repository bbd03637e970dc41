import type { CallId } from '@capstan/protocol'
import type { JsonObject } from '../json.ts'
import type { RunContext } from '../run-context.ts'
import { withoutShadows } from './reserved-names.ts'
import type { ToolCall } from './tool-call.ts'
import type { Tool } from './tool.ts'
import { toJsonSchema } from './tool.ts'

/**
 * The tools a run may use now. Immutable: a change is a new surface with a new version. `tools` are sent with the
 * request; `resolve` may know more, for tools that are announced in the conversation instead.
 */
export interface Surface {
  readonly version: number
  readonly tools: readonly Tool[]
  /** Which tool a call means. Never throws; an unknown name has no `tool`. */
  resolve(call: AskedCall): Target
  /**
   * Reads what these calls need before they can be resolved, such as the actions of an app. Answers with the surface to
   * resolve them with, or undefined when nothing is needed. Rejects only for what ends the whole tree of runs.
   */
  prepare?(calls: readonly ToolCall[], context: CallPreparation): Promise<Surface> | undefined
  /** What was announced in the conversation besides the tools, such as the connected apps. */
  readonly announced?: readonly string[]
  /** All names that may be called, for the result of an unknown one. */
  names(): readonly string[]
}

/** What `prepare` gets besides the calls. */
export interface CallPreparation {
  readonly run: RunContext
  /** The account in which a call was to run when a person was asked about it, before a wait. */
  askedAccount(callId: CallId): Promise<string | undefined>
}

/** A call as the model made it. */
export interface AskedCall {
  readonly id?: CallId
  readonly tool: string
  readonly arguments: JsonObject
}

/** The tool a call means, with its final name and arguments. */
export interface Target {
  readonly name: string
  readonly arguments: JsonObject
  readonly tool: Tool | undefined
  /** The tool of the surface through which it was called. Who may use that one may use this one. */
  readonly via?: string
}

let versions = 0

/** A new, unique version. */
export const nextSurfaceVersion = (): number => ++versions

/**
 * A surface of these tools. Of two tools with one name the first is kept: a later one never replaces a tool the model
 * already knows. A third party's tool with a name that is, or looks like, another's is left out. Throws for a schema
 * without a JSON Schema form, so that no turn fails because of it later.
 */
export function createSurface(tools: readonly Tool[]): Surface {
  const byName = new Map<string, Tool>()
  for (const tool of withoutShadows(tools)) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  for (const tool of byName.values()) toJsonSchema(tool.input)
  return {
    version: nextSurfaceVersion(),
    tools: [...byName.values()],
    resolve: (call) => ({ name: call.tool, arguments: call.arguments, tool: byName.get(call.tool) }),
    names: () => [...byName.keys()],
  }
}
