import { describe } from '../failures/classify.ts'
import { digestRequest } from '../turn/digest.ts'
import type { DoneWrite } from '../turn/done-writes.ts'
import { destinationsOf, toBinding } from '../turn/grant/to-binding.ts'
import type { JsonObject } from '../turn/json.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import type { Question } from './ask-approval.ts'
import { canAsk, wasAsked } from './ask-approval.ts'
import type { ToolPath } from './tool-path.ts'

/** Whether the same write has succeeded in this turn. Never for a tool that declares that repeating it is harmless. */
export function isDoneAlready(tool: Tool, args: JsonObject, effect: Effect, { run }: ToolPath): boolean {
  if (effect === 'read' || run.done.isEmpty || tool.polls || tool.idempotent) return false
  return run.done.has(toDigest(tool, args, effect))
}

/** What is remembered of a write that succeeded. */
export function toDoneWrite(tool: Tool, args: JsonObject, effect: Effect): DoneWrite {
  const isOutside =
    tool.isThirdParty === true ||
    toBinding(tool, args, effect).app !== undefined ||
    Object.keys(destinationsOf(tool, effect, args)).length > 0
  return { digest: toDigest(tool, args, effect), ...(isOutside ? { isOutside } : undefined) }
}

const toDigest = (tool: Tool, args: JsonObject, effect: Effect): string =>
  digestRequest(tool.name, args, toBinding(tool, args, effect))

/**
 * Whether a person is asked about a repeated write that would otherwise be allowed. In the mode `full` nobody wants to
 * be disturbed by it, so it is refused, unless they were asked before the mode was changed.
 */
export async function mayAskAboutRepeat({ call }: Question, path: ToolPath): Promise<boolean> {
  if (!canAsk(path)) return false
  return path.services.policy.mode !== 'full' || wasAsked(call, path)
}

/** The outcome of a repeated write that nobody was asked about. */
export function doneAlready({ name }: Tool): ToolOutcome {
  const failure = describe('conflict', {
    rule: 'done-already',
    detail: { kind: 'done-already' },
    words: {
      cause: 'The same was already done in this turn, so it was not done again.',
      next: 'If it should happen once more, say so in a new message.',
    },
  })
  return fail(
    `"${name}" was not run again: the same call with the same arguments has already succeeded in this turn, and its ` +
      'effect is there. Go on with the next step. If the user wants it more than once, ask them: after their next ' +
      'message it can be run again.',
    { failure },
  )
}
