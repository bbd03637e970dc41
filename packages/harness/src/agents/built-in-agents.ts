import type { ToolSource } from '../seams/seams.ts'
import type { Tool } from '../turn/tool.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { CRITIC } from './critic.ts'
import { PLANNER } from './planner.ts'
import { RESEARCHER } from './researcher.ts'
import { toolNames } from './tool-names.ts'

export interface BuiltInAgentOptions {
  /** The tools of whoever spawns them: a researcher who can read nothing is left out. */
  readonly tools: readonly Tool[] | ToolSource
  /** A model by name for an agent by its id; absent: its parent's. */
  readonly models?: Readonly<Record<string, string>>
}

/** Ids that mean something to the harness. */
export const BUILT_IN_IDS: ReadonlySet<string> = new Set([
  'orchestrator',
  'integrations_agent',
  'researcher',
  'planner',
  'critic',
  'summariser',
  'triage',
])

/** Whom an orchestrator may spawn, besides those for the user's apps. None of them can do more than read. */
export function createBuiltInAgents({ tools, models = {} }: BuiltInAgentOptions): readonly AgentDefinition[] {
  const names = toolNames(tools)
  const canResearch = names.has('web_fetch') || names.has('read_file')
  return [...(canResearch ? [RESEARCHER] : []), PLANNER, CRITIC].map((agent) => {
    const model = Object.hasOwn(models, agent.id) ? models[agent.id] : undefined
    return model === undefined ? agent : { ...agent, model }
  })
}
