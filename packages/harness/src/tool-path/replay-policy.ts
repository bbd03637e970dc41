import type { FlowTool } from '../data-flow/data-flow.ts'
import { ThreadFlow } from '../data-flow/thread-flow.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Surface } from '../turn/tool/surface.ts'
import { nextSurfaceVersion } from '../turn/tool/surface.ts'
import type { Tool } from '../turn/tool/tool.ts'
import type { SafetyMode } from './policy.ts'
import { decide, tightenByFlow } from './policy.ts'

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

/**
 * Judges every step of a trace with the judge and the policy of the tool path, by what came before it. A tool that is
 * not listed is refused.
 */
export function replayPolicy({ mode, user, followups, tools, steps }: PolicyTrace): ReplayedDecision[] {
  const flow = new ThreadFlow()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  flow.userSaid(user)
  flow.offered(toSurface(tools))
  return steps.map(({ tool: name, arguments: args, result }, step) => {
    for (const followup of followups) if (followup.beforeStep === step) flow.userSaid(followup.user)
    const listed = byName.get(name)
    if (!listed) return { step, decision: 'deny', rule: 'policy: unknown tool' }
    const call = { tool: toTool(listed), effect: listed.effect, args }
    const decided = decideStep(mode, call, flow)
    flow.returned(call, result)
    return { step, ...decided }
  })
}

function decideStep(
  mode: SafetyMode,
  call: Parameters<ThreadFlow['judge']>[0],
  flow: ThreadFlow,
): Omit<ReplayedDecision, 'step'> {
  const { tool, effect } = call
  const bySettings = decide({ mode, rules: [] }, tool.name, effect)
  if (bySettings.type === 'deny') return { decision: 'deny', rule: `policy: ${bySettings.reason}` }
  if (!flow.concerns(tool, effect)) return { decision: bySettings.type, rule: `policy: ${effect}` }
  const verdict = flow.judge(call)
  return {
    decision: tightenByFlow(bySettings, verdict).type,
    rule: verdict.type === 'allow' ? `policy: ${effect}` : `data-flow: ${verdict.rule}`,
  }
}

/** A third party's tool that is only judged. */
const toTool = ({ description = '', ...tool }: FlowTool): Tool => ({
  name: tool.name,
  description,
  effect: tool.effect,
  returns: tool.returns,
  destinations: tool.destinations,
  input: { type: 'object' },
  isThirdParty: true,
  run: () => undefined,
})

const toSurface = (tools: readonly FlowTool[]): Surface => ({
  version: nextSurfaceVersion(),
  tools: tools.map(toTool),
  resolve: (call) => ({ name: call.tool, arguments: call.arguments, tool: undefined }),
  names: () => [],
})
