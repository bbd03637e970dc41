import { messageOf } from '../turn/error-message.ts'
import type { Target } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { appOf } from '../turn/tool/tool.ts'
import { wasAsked } from './ask-approval.ts'
import type { PolicyDecision, PolicyFunction, ToolRule } from './policy.ts'
import type { ToolPath } from './tool-path.ts'

type Allowed = Exclude<PolicyDecision, { readonly type: 'deny' }>

/** The decision about a call, or the reason of its refusal. */
export type Consulted = { readonly type: 'allow' | 'ask' } | { readonly refusal: ToolOutcome }

/**
 * Calls the caller's policy function for a call that the mode and the rules do not refuse. It can tighten their decision,
 * and allow what only the mode would ask about. Never throws: without a valid answer in time the call is refused.
 */
export async function consultPolicy(
  check: PolicyFunction,
  settings: Allowed,
  asked: Asked,
  path: ToolPath,
): Promise<Consulted> {
  const answer = await firstAnswer(check, settings.type, asked, path)
  if ('refusal' in answer) return answer
  const { decision } = answer
  if (decision === 'deny') return refuse(asked.target, 'the policy of this program forbids it')
  if (decision === 'ask' || 'byRule' in settings) return { type: 'ask' }
  // After a wait the function is called again. It must not overrule the person who was asked meanwhile.
  return { type: (await wasAsked(asked.call, path)) ? 'ask' : 'allow' }
}

interface Asked {
  readonly call: ToolCall
  readonly target: Target & { readonly tool: Tool }
  readonly effect: Effect
}

type Answer = { readonly decision: ToolRule['decision'] } | { readonly refusal: ToolOutcome }

/** The answer, or a refusal when there is none before the turn is stopped or the time of a tool has passed. */
function firstAnswer(
  check: PolicyFunction,
  decision: 'allow' | 'ask',
  { target, effect }: Asked,
  { run, limits }: ToolPath,
): Promise<Answer> {
  const { threadId, runId, agent, depth, origin, signal } = run
  const app = appOf(target.tool, target.arguments)
  const ask = async (): Promise<Answer> => {
    const call = {
      tool: target.name,
      // A copy: the function must not change what runs.
      arguments: structuredClone(target.arguments),
      effect,
      ...(app ? { app } : undefined),
    }
    const answer: unknown = await check(call, { threadId, runId, agent, depth, origin, decision, signal })
    return isDecision(answer) ? { decision: answer } : refuse(target, 'the policy function gave no decision')
  }
  return new Promise((resolve) => {
    const onAbort = () => settle({ refusal: stopped(target) })
    const disarm = run.clock.after(limits.timeoutMs, () =>
      settle(refuse(target, 'the policy function did not answer in time')),
    )
    function settle(answer: Answer): void {
      disarm()
      signal.removeEventListener('abort', onAbort)
      resolve(answer)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else
      ask().then(settle, (error: unknown) =>
        settle(refuse(target, `the policy function failed${why(error)}`)),
      )
  })
}

const isDecision = (answer: unknown): answer is ToolRule['decision'] =>
  answer === 'allow' || answer === 'ask' || answer === 'deny'

function why(error: unknown): string {
  const message = messageOf(error)
  return message === undefined ? '' : ` (${message})`
}

const refuse = ({ name }: Target, reason: string): { readonly refusal: ToolOutcome } => ({
  refusal: fail(
    `"${name}" was not run: ${reason}. Do not try it another way; tell the user what you wanted to do.`,
    { deniedBy: 'policy' },
  ),
})

const stopped = ({ name }: Target): ToolOutcome =>
  fail(`"${name}" was not run: the turn was stopped first.`, { cancelled: true })
