import type { JsonObject } from '../turn/json.ts'
import { ignore } from '../turn/maybe-promise.ts'
import type { ResolvedCall } from '../turn/tool/resolve-call.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { effectOf, higherEffect } from '../turn/tool/tool.ts'
import { checkArguments } from './check-arguments.ts'

/** The effect of a call with its checked arguments. A default or a repaired value may raise it, and never lowers it. */
export const effectOfChecked = (tool: Tool, { effect = 'write' }: ResolvedCall, args: unknown): Effect =>
  typeof tool.effect === 'function' ? higherEffect(effect, effectOf(tool, args as JsonObject)) : effect

/** Whether a call is known to read before it is run. Not for one whose schema takes time. */
export function surelyReads(tool: Tool, target: ResolvedCall): boolean {
  if (target.effect !== 'read' || typeof tool.effect !== 'function') return target.effect === 'read'
  const checked = checkArguments(tool, target.arguments)
  if (checked instanceof Promise) {
    checked.catch(ignore) // it is checked again, and fails there
    return false
  }
  return 'refusal' in checked || effectOfChecked(tool, target, checked.value) === 'read'
}
