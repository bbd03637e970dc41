import { matchesName } from '../turn/name-pattern.ts'
import type { Effect } from '../turn/tool.ts'

/** How much happens without a person. */
export type SafetyMode = 'read-only' | 'supervised' | 'full'

export interface ToolRule {
  /** A tool's name; a trailing `*` matches every ending. */
  readonly tool: string
  readonly decision: 'allow' | 'ask' | 'deny'
}

export interface Policy {
  readonly mode: SafetyMode
  /** Deny beats ask beats allow, whatever their order. */
  readonly rules: readonly ToolRule[]
}

export type PolicyDecision =
  | { readonly type: 'allow' }
  | { readonly type: 'ask' }
  | { readonly type: 'deny'; readonly reason: string }

const ALLOW: PolicyDecision = { type: 'allow' }
const ASK: PolicyDecision = { type: 'ask' }

const MODES: Readonly<Record<SafetyMode, Readonly<Record<Effect, PolicyDecision>>>> = {
  'read-only': {
    read: ALLOW,
    write: { type: 'deny', reason: 'the safety mode is read-only' },
    admin: { type: 'deny', reason: 'the safety mode is read-only' },
  },
  supervised: { read: ALLOW, write: ASK, admin: ASK },
  full: { read: ALLOW, write: ALLOW, admin: ASK },
}

/** What the settings say about a call. Cheap, synchronous, and asked before anybody is bothered. */
export function decide({ mode, rules }: Policy, tool: string, effect: Effect): PolicyDecision {
  const byMode = MODES[mode][effect]
  if (rules.length === 0) return byMode
  const decisions = new Set(
    rules.filter((rule) => matchesName(rule.tool, tool)).map(({ decision }) => decision),
  )
  if (decisions.has('deny')) return { type: 'deny', reason: 'a rule forbids this tool' }
  if (byMode.type === 'deny') return byMode
  if (decisions.has('ask')) return ASK
  return decisions.has('allow') ? ALLOW : byMode
}
