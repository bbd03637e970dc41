import type { AppName, ApprovalReason, Origin, RunId, ThreadId } from '@capstan/protocol'
import type { JsonObject } from '../turn/json.ts'
import { matchesName } from '../turn/tool/name-pattern.ts'
import type { Effect } from '../turn/tool/tool.ts'

/** How much runs without approval. */
export type SafetyMode = 'read-only' | 'supervised' | 'full'

/** A rule for tools by name. */
export interface ToolRule {
  /** A tool's name; a trailing `*` matches every ending. */
  readonly tool: string
  readonly decision: 'allow' | 'ask' | 'deny'
}

/** The safety settings: a mode, rules, and an optional function. Mode and rules may change; they are read at each call. */
export interface Policy {
  readonly mode: SafetyMode
  /** Deny beats ask beats allow, in any order. */
  readonly rules: readonly ToolRule[]
  /** Called for every call that the mode and the rules do not refuse. */
  readonly check?: PolicyFunction
}

/** A call for a policy function: the tool exists, and the arguments fit its schema. */
export interface PolicyCall {
  readonly tool: string
  readonly arguments: JsonObject
  readonly effect: Effect
  /** The app it acts in, if the tool names one. */
  readonly app?: AppName
}

/** The caller, and the decision without the function. */
export interface PolicyContext {
  readonly threadId: ThreadId
  readonly runId: RunId
  /** The agent that makes the call; `depth` is 0 for a turn and counts up for its sub-agents. */
  readonly agent: string
  readonly depth: number
  readonly origin: Origin
  /** The decision of the mode and the rules. Return it to change nothing. */
  readonly decision: 'allow' | 'ask'
  /** Aborted when the turn is stopped. */
  readonly signal: AbortSignal
}

/**
 * Decides about one call. It acts as one more rule, so deny beats ask beats allow: what the mode or a rule refuses never
 * reaches it, an `ask` of a rule stays an `ask`, and an `ask` that comes from the mode alone becomes what it answers.
 * One that throws, takes too long or answers anything else refuses the call.
 */
export type PolicyFunction = (
  call: PolicyCall,
  context: PolicyContext,
) => ToolRule['decision'] | Promise<ToolRule['decision']>

/** The decision of the settings about a call. */
export type PolicyDecision =
  | { readonly type: 'allow' }
  /** `byRule`: a rule requires it, so that only a person can allow the call. */
  | { readonly type: 'ask'; readonly byRule?: true; readonly reason?: ApprovalReason }
  | { readonly type: 'deny'; readonly reason: string }

const ALLOW: PolicyDecision = { type: 'allow' }
const ASK: PolicyDecision = { type: 'ask' }
const ASK_BY_RULE: PolicyDecision = { type: 'ask', byRule: true }

const MODES: Readonly<Record<SafetyMode, Readonly<Record<Effect, PolicyDecision>>>> = {
  'read-only': {
    read: ALLOW,
    write: { type: 'deny', reason: 'the safety mode is read-only' },
    admin: { type: 'deny', reason: 'the safety mode is read-only' },
  },
  supervised: { read: ALLOW, write: ASK, admin: ASK },
  full: { read: ALLOW, write: ALLOW, admin: ASK },
}

/** The decision of the mode and the rules. Cheap and synchronous. */
export function decide({ mode, rules }: Policy, tool: string, effect: Effect): PolicyDecision {
  const byMode = MODES[mode][effect]
  if (rules.length === 0) return byMode
  const decisions = new Set(
    rules.filter((rule) => matchesName(rule.tool, tool)).map(({ decision }) => decision),
  )
  if (decisions.has('deny')) return { type: 'deny', reason: 'a rule forbids this tool' }
  if (byMode.type === 'deny') return byMode
  if (decisions.has('ask')) return ASK_BY_RULE
  return decisions.has('allow') ? ALLOW : byMode
}

/** Tightens a decision about a call of a run that nobody watches: a person is asked, or it stays refused. */
export const tightenUnattended = (decision: PolicyDecision): PolicyDecision =>
  decision.type === 'allow' ? ASK_BY_RULE : decision.type === 'ask' ? { ...decision, byRule: true } : decision

/** What the data-flow rule says about a call. */
interface FlowAnswer {
  readonly type: 'allow' | 'ask' | 'deny'
  readonly reason?: ApprovalReason
}

/**
 * Adds the data-flow rule to the decision of the mode and the rules. It only tightens: no rule, no mode and no policy
 * function turns its `ask` into an `allow`.
 */
export function tightenByFlow(decision: PolicyDecision, flow: FlowAnswer): PolicyDecision {
  if (flow.type === 'allow' || decision.type === 'deny') return decision
  if (flow.type === 'deny') return { type: 'deny', reason: 'the data-flow rule forbids it' }
  return { type: 'ask', byRule: true, ...(flow.reason ? { reason: flow.reason } : undefined) }
}
