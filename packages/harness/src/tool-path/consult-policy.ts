import { messageOf } from '../turn/error-message.ts'
import { settleInTime } from '../turn/settle-in-time.ts'
import type { Target } from '../turn/tool/surface.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { appOf } from '../turn/tool/tool.ts'
import type { PolicyDecision, PolicyFunction, ToolRule } from './policy.ts'
import type { ToolPath } from './tool-path.ts'

type Allowed = Exclude<PolicyDecision, { readonly type: 'deny' }>

/** The decision about a call, or the reason of its refusal. */
export type Consulted = { readonly type: 'allow' | 'ask' } | { readonly refusal: ToolOutcome }

/**
 * Calls the caller's policy function for a call that the mode and the rules do not refuse. It can tighten their
 * decision, and allow what only the mode would ask about. Never throws: without a valid answer in time the call is
 * refused.
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
  return { type: decision === 'ask' || 'byRule' in settings ? 'ask' : 'allow' }
}

interface Asked {
  readonly target: Target & { readonly tool: Tool }
  readonly effect: Effect
}

type Answer = { readonly decision: ToolRule['decision'] } | { readonly refusal: ToolOutcome }

/** The answer, or a refusal when there is none before the turn is stopped or the time of a tool has passed. */
async function firstAnswer(
  check: PolicyFunction,
  decision: 'allow' | 'ask',
  { target, effect }: Asked,
  { run, limits }: ToolPath,
): Promise<Answer> {
  const { threadId, runId, agent, depth, origin, signal } = run
  if (signal.aborted) return { refusal: stopped(target) }
  const app = appOf(target.tool, target.arguments)
  const ask = async (): Promise<unknown> => {
    const call = {
      tool: target.name,
      // A copy: the function must not change what runs.
      arguments: structuredClone(target.arguments),
      effect,
      ...(app ? { app } : undefined),
    }
    return check(call, { threadId, runId, agent, depth, origin, decision, signal })
  }
  const settled = await settleInTime(ask(), run, limits.timeoutMs)
  switch (settled.type) {
    case 'answered':
      if (isDecision(settled.value)) return { decision: settled.value }
      return refuse(target, 'the policy function gave no decision')
    case 'failed':
      return refuse(target, `the policy function failed${why(settled.error)}`)
    case 'late':
      return refuse(target, 'the policy function did not answer in time')
    case 'stopped':
      return { refusal: stopped(target) }
  }
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
