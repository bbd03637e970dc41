import type { ToolSource } from '../seams/seams.ts'
import type { Tool } from '../turn/tool/tool.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { CRITIC } from './critic.ts'
import { PLANNER } from './planner.ts'
import { RESEARCHER } from './researcher.ts'
import { toolNames } from './tool-names.ts'

/** Options for the built-in agents. */
export interface BuiltInAgentOptions {
  /** The tools of the parent. Without tools to read with, there is no researcher. */
  readonly tools: readonly Tool[] | ToolSource
  /** A model name by agent id. Absent: the parent's model. */
  readonly models?: Readonly<Record<string, string>>
}

/** Ids that the harness uses itself. */
export const BUILT_IN_IDS: ReadonlySet<string> = new Set([
  'orchestrator',
  'integrations_agent',
  'researcher',
  'planner',
  'critic',
  'summariser',
  'triage',
])

/** The agents an orchestrator may spawn, besides those for the user's apps. All of them only read. */
export function createBuiltInAgents({ tools, models = {} }: BuiltInAgentOptions): readonly AgentDefinition[] {
  const names = toolNames(tools)
  const canResearch = names.has('web_fetch') || names.has('read_file')
  return [...(canResearch ? [RESEARCHER] : []), PLANNER, CRITIC].map((agent) => {
    const model = Object.hasOwn(models, agent.id) ? models[agent.id] : undefined
    return model === undefined ? agent : { ...agent, model }
  })
}
