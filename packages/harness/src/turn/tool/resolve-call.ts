import type { AskedCall, Surface, Target } from './surface.ts'
import type { Effect } from './tool.ts'
import { effectOf } from './tool.ts'

/**
 * The tool a call means, and its effect with the arguments as they were sent. Found once and carried down the tool
 * path.
 */
export interface ResolvedCall extends Target {
  /** Undefined for an unknown tool. */
  readonly effect: Effect | undefined
}

export function resolveCall(call: AskedCall, surface: Surface): ResolvedCall {
  const { name, arguments: args, tool } = surface.resolve(call)
  return { name, arguments: args, tool, effect: tool && effectOf(tool, args) }
}
