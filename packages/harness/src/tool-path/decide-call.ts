import type { DataFlow, FlowTool, FlowVerdict } from '../data-flow/data-flow.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Policy, PolicyDecision } from './policy.ts'
import { decide, tightenByFlow } from './policy.ts'

/** The decision about a call, the name of the rule that made it, and what the data-flow rule said. */
export interface CallDecision {
  readonly decision: PolicyDecision
  readonly rule: string
  /** Present when the data-flow rule asks or refuses: what a person is shown. */
  readonly flow?: Exclude<FlowVerdict, { readonly type: 'allow' }>
}

/**
 * The decision of the settings and of the data-flow rule together; the stricter one holds. A question of the data-flow
 * rule can only be answered by a person, whatever the mode is.
 */
export function decideCall(policy: Policy, flow: DataFlow, tool: FlowTool, args: JsonObject): CallDecision {
  const decision = decide(policy, tool.name, tool.effect)
  if (decision.type === 'deny') return { decision, rule: `policy: ${decision.reason}` }
  const verdict = flow.judge(tool, args)
  switch (verdict.type) {
    case 'deny':
    case 'ask':
      return { decision: tightenByFlow(decision, verdict), rule: `data-flow: ${verdict.rule}`, flow: verdict }
    case 'allow':
      return {
        decision,
        rule: decision.type === 'ask' ? `policy: ${tool.effect}` : `data-flow: ${verdict.rule}`,
      }
  }
}
