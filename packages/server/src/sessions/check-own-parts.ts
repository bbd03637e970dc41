import { resolve } from 'node:path'
import type { AgentDefinition, Tool } from '@capstan/harness'
import { ConfigurationError } from '@capstan/harness'
import { createBuiltInAgents } from '@capstan/harness/agents'
import { createBuiltInTools, createFileTools, createShellTool } from '@capstan/harness/tools'
import type { Store } from '@capstan/harness/stores'

/** Tools the harness adds by itself. */
const RESERVED = ['call_action', 'call_tool', 'continue_agent', 'find_actions', 'submit_final_result']

/** The names that every provider takes. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Throws a `ConfigurationError` for a tool or an agent of the program that is none, or whose name cannot be used. */
export function checkOwnParts(
  {
    tools = [],
    agents = [],
  }: { readonly tools?: readonly Tool[]; readonly agents?: readonly AgentDefinition[] },
  { artifacts }: Store,
): void {
  tools.forEach(checkTool)
  agents.forEach(checkAgent)
  const builtIn = createBuiltInTools({ artifacts })
  const roots = [resolve('/')]
  const files = [...createFileTools({ roots }), createShellTool({ roots })]
  const team = [...createBuiltInAgents({ tools: builtIn }), ...agents].map(({ id }) => id)
  refuseTaken('agents', ['integrations_agent', ...team])
  refuseTaken('tools', [
    ...RESERVED,
    'connect_app',
    'delegate_to_integrations_agent',
    ...team.map((id) => `delegate_to_${id}`),
    ...[...builtIn, ...files, ...tools].map(({ name }) => name),
  ])
}

// A program in plain JavaScript may pass anything.
function checkTool(tool: Partial<Tool> | null | undefined, index: number): void {
  if (typeof tool?.name !== 'string' || !isRunnable(tool))
    throw new ConfigurationError('tools', `entry ${index + 1} is not a tool`)
  if (!TOOL_NAME.test(tool.name))
    throw new ConfigurationError(
      'tools',
      `the name "${tool.name}" must be 1 to 64 letters, digits, underscores or hyphens`,
    )
}

function checkAgent(agent: Partial<AgentDefinition> | null | undefined, index: number): void {
  if (typeof agent?.id !== 'string')
    throw new ConfigurationError('agents', `entry ${index + 1} is not an agent`)
}

function refuseTaken(field: string, names: readonly string[]): void {
  const taken = new Set<string>()
  for (const name of names) {
    if (taken.has(name)) throw new ConfigurationError(field, `the name "${name}" is taken`)
    taken.add(name)
  }
}

const isRunnable = (part: object): boolean => 'run' in part && typeof part.run === 'function'
