import type { FlowTool } from '../data-flow/data-flow.ts'
import { DataFlow } from '../data-flow/data-flow.ts'
import type { JsonObject } from '../turn/json.ts'
import { decideCall } from './decide-call.ts'
import type { SafetyMode } from './policy.ts'

/** A recorded conversation: what the user said, the tools, and the calls with their results. */
export interface PolicyTrace {
  readonly mode: SafetyMode
  readonly user: string
  /** Later messages of the user, each with the step before which it was said. */
  readonly followups: readonly { readonly beforeStep: number; readonly user: string }[]
  readonly tools: readonly FlowTool[]
  readonly steps: readonly {
    readonly tool: string
    readonly arguments: JsonObject
    readonly result: string
  }[]
}

/** The decision about one step of a trace. */
export interface ReplayedDecision {
  readonly step: number
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly rule: string
}

/** Judges every step of a trace with the judge and the policy of the tool path, by what came before it. A tool that is not listed is refused. */
export function replayPolicy({ mode, user, followups, tools, steps }: PolicyTrace): ReplayedDecision[] {
  const flow = new DataFlow()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  flow.userSaid(user)
  flow.toolsOffered(tools)
  return steps.map(({ tool: name, arguments: args, result }, step) => {
    for (const followup of followups) if (followup.beforeStep === step) flow.userSaid(followup.user)
    const tool = byName.get(name)
    if (!tool) return { step, decision: 'deny', rule: 'policy: unknown tool' }
    const { decision, rule } = decideCall({ mode, rules: [] }, flow, tool, args)
    flow.returned(tool, args, result)
    return { step, decision: decision.type, rule }
  })
}
