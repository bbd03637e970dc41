import type { FlowDecision } from '../turn/flow-tracker.ts'
import type { JsonObject } from '../turn/json.ts'
import type { ResolvedCall } from '../turn/tool/resolve-call.ts'
import type { Target } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { settleInTime } from '../turn/settle-in-time.ts'
import { needsPerson } from '../turn/unattended.ts'
import type { Question } from './ask-approval.ts'
import { askApproval, isBound, mayBeBound } from './ask-approval.ts'
import type { CheckedArguments } from './check-arguments.ts'
import { checkArguments, expectedShape } from './check-arguments.ts'
import { checkReach } from './check-reach.ts'
import { consultPolicy } from './consult-policy.ts'
import { effectOfChecked } from './judge-effect.ts'
import type { PolicyDecision } from './policy.ts'
import { decide, tightenByFlow, tightenUnattended } from './policy.ts'
import { doneAlready, isDoneAlready, mayAskAboutRepeat } from './repeated-write.ts'
import type { ToolPath } from './tool-path.ts'

/** A call that may run, and with what. `asked`: the arguments a person was asked about. */
export interface Admitted {
  readonly decision: 'allowed' | 'approved'
  readonly effect: Effect
  readonly tool: Tool
  readonly args: unknown
  readonly asked?: JsonObject
}

/** Whether a call may run. */
export type Admission =
  | Admitted
  | {
      readonly decision: 'invalid' | 'refused'
      readonly effect?: Effect
      readonly refusal: ToolOutcome
      readonly asked?: JsonObject
    }

/**
 * Checks a call before it runs, in order: the arguments parse, the tool exists and can be used, the arguments fit, the
 * tool is for models, the effect is within the ceiling, the settings, the data-flow rule and the policy function allow
 * it, and a person does where they require it. The first refusal ends it, so a person is never asked about a call that
 * could not run. Returns a promise only when a schema, the function or a person takes time.
 */
export function admitCall(
  call: ToolCall,
  target: ResolvedCall,
  path: ToolPath,
): Admission | Promise<Admission> {
  const { tool } = target
  if (!tool) return { decision: 'invalid', refusal: unknownTool(target.name, path) }
  if (call.malformed) return { decision: 'invalid', refusal: unreadable(call.malformed, tool) }
  if (tool.unavailable) return { decision: 'refused', effect: target.effect, refusal: tool.unavailable }
  const checked = checkArguments(tool, target.arguments)
  return checked instanceof Promise
    ? waitForCheck(checked, tool, path).then((value) => admitChecked(value, tool, call, target, path))
    : admitChecked(checked, tool, call, target, path)
}

/** A schema that never answers must not hold the turn. */
async function waitForCheck(
  checking: Promise<CheckedArguments>,
  tool: Tool,
  { run, limits }: ToolPath,
): Promise<CheckedArguments> {
  const settled = await settleInTime(checking, run, Math.min(limits.timeoutMs, run.budget.remainingMs()))
  switch (settled.type) {
    case 'answered':
      return settled.value
    case 'failed':
      throw settled.error
    case 'stopped':
      return { refusal: fail(`"${tool.name}" was not run: the turn was stopped first.`, { cancelled: true }) }
    case 'late':
      return {
        refusal: fail(
          `The arguments of "${tool.name}" were not checked in time, so nothing was run. Its schema did not answer.`,
          { timedOut: true },
        ),
      }
  }
}

function admitChecked(
  checked: CheckedArguments,
  tool: Tool,
  call: ToolCall,
  target: ResolvedCall,
  path: ToolPath,
): Admission | Promise<Admission> {
  if ('refusal' in checked) return { decision: 'invalid', refusal: checked.refusal }
  const args = checked.value
  const effect = effectOfChecked(tool, target, args)
  const refuse = (refusal: ToolOutcome): Admission => ({ decision: 'refused', effect, refusal })
  if (tool.scope === 'host') return refuse(notForModels(tool))
  const tooFar = checkReach(tool, effect, path.run)
  if (tooFar) return refuse(tooFar)
  const bySettings = decideFor(tool.name, effect, path)
  if (bySettings.type === 'deny') return refuse(forbidden(tool, bySettings.reason))
  const { check } = path.services.policy
  const mayFlow = path.run.flow.concerns(tool, effect)
  const isRepeat = isDoneAlready(tool, shownOf(args, target), effect, path)
  const isFree = bySettings.type === 'allow' && !check && !mayFlow && !isRepeat
  if (isFree && !mayBeBound(call, path)) return { decision: 'allowed', effect, tool, args }

  // The person is shown what runs, unless a schema turned it into something that cannot be shown.
  const shown = { ...target, tool, arguments: shownOf(args, target) }
  const policy = mayFlow ? tightenByFlow(bySettings, judgeFlow(call, shown, effect, path)) : bySettings
  if (policy.type === 'deny') return refuse(forbidden(tool, policy.reason))
  const asked = {
    call,
    target: shown,
    effect,
    ...(policy.type === 'ask' ? { reason: policy.reason } : undefined),
    ...(isRepeat ? { isRepeat } : undefined),
  }
  const admit = ({ type }: { readonly type: 'allow' | 'ask' }) => {
    if (type === 'ask') return admitAsked(asked, args, path)
    return isRepeat ? admitRepeat(asked, args, path) : admitAllowed(asked, args, path)
  }
  if (!check) return admit(policy)
  return consultPolicy(check, policy, asked, path).then((consulted) =>
    'refusal' in consulted ? refuse(consulted.refusal) : admit(consulted),
  )
}

/** The decision of the settings, as strict as the origin of the run requires. */
function decideFor(tool: string, effect: Effect, { run, services }: ToolPath): PolicyDecision {
  const decision = decide(services.policy, tool, effect)
  return needsPerson(run.origin, effect) ? tightenUnattended(decision) : decision
}

/** What a person is shown of the arguments: as a schema made them, unless that cannot be shown. */
const shownOf = (args: unknown, target: Target): JsonObject => (isJsonObject(args) ? args : target.arguments)

/** A write that has succeeded in this turn needs a person, whatever the settings allow. */
async function admitRepeat(question: Question, args: unknown, path: ToolPath): Promise<Admission> {
  if (await mayAskAboutRepeat(question, path)) return admitAsked(question, args, path)
  return { decision: 'refused', effect: question.effect, refusal: doneAlready(question.target.tool) }
}

const judgeFlow = (
  { id: callId }: ToolCall,
  { tool, arguments: args }: Target & { readonly tool: Tool },
  effect: Effect,
  { run }: ToolPath,
): FlowDecision => run.flow.judge({ tool, effect, args, id: { runId: run.runId, callId } })

/** Admits a call that needs nobody's permission now, unless a person was asked about it, or refused it, before. */
async function admitAllowed(question: Question, args: unknown, path: ToolPath): Promise<Admission> {
  if (await isBound(question, path)) return admitAsked(question, args, path)
  const { target, effect } = question
  return { decision: 'allowed', effect, tool: target.tool, args }
}

/** Asks a person. */
async function admitAsked(question: Question, args: unknown, path: ToolPath): Promise<Admission> {
  const refusal = await askApproval(question, path)
  const { target, effect } = question
  const asked = target.arguments
  if (refusal) return { decision: 'refused', effect, refusal, asked }
  // The settings may have become stricter while the person was asked.
  const now = decide(path.services.policy, target.name, effect)
  if (now.type === 'deny')
    return { decision: 'refused', effect, refusal: forbidden(target.tool, now.reason), asked }
  return { decision: 'approved', effect, tool: target.tool, args, asked }
}

/** The nesting limit of arguments. A schema may parse text into deeper values. */
const MAX_SHOWN_DEPTH = 200

function isJsonObject(value: unknown, depth = 0): value is JsonObject {
  return (
    isPlain(value) &&
    depth < MAX_SHOWN_DEPTH &&
    Object.values(value).every((inner) => isJson(inner, depth + 1))
  )
}

function isJson(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return depth < MAX_SHOWN_DEPTH && value.every((inner) => isJson(inner, depth + 1))
  if (typeof value === 'object' && value !== null) return isJsonObject(value, depth)
  return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function unreadable({ raw, problem }: { raw: string; problem: string }, tool: Tool): ToolOutcome {
  return fail(
    `The arguments could not be read: ${problem.replace(/\.$/, '')}. Nothing was run. Send the call again with one complete ` +
      `JSON object. ${expectedShape(tool)} What arrived began with: ${raw.slice(0, 200)}`,
    { errorCode: 'invalid_arguments' },
  )
}

function unknownTool(name: string, path: ToolPath): ToolOutcome {
  const names = path.surface.names()
  const known =
    names.length === 0 ? 'No tools are available.' : `Available: ${names.slice(0, 50).join(', ')}.`
  return fail(`There is no tool named "${name}". ${known}`, { errorCode: 'unknown_tool' })
}

const notForModels = ({ name }: Tool): ToolOutcome =>
  fail(`"${name}" is not available here. Nothing was run.`, { deniedBy: 'policy' })

const forbidden = ({ name }: Tool, reason: string): ToolOutcome =>
  fail(
    `"${name}" was not run: ${reason}. Do not try it another way; tell the user what you wanted to do and that ` +
      'the safety settings can be changed.',
    { deniedBy: 'policy' },
  )
