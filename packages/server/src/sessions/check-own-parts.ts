import { resolve } from 'node:path'
import type { AgentDefinition, Tool } from '@capstan/harness'
import { ConfigurationError } from '@capstan/harness'
import { createBuiltInAgents } from '@capstan/harness/agents'
import { createBuiltInTools, createFileTools } from '@capstan/harness/tools'
import type { Store } from '@capstan/harness/stores'

/** Throws a `ConfigurationError` for a tool or an agent of the program whose name is taken. */
export function checkOwnParts(
  {
    tools = [],
    agents = [],
  }: { readonly tools?: readonly Tool[]; readonly agents?: readonly AgentDefinition[] },
  { artifacts }: Store,
): void {
  const builtIn = createBuiltInTools({ artifacts })
  const files = createFileTools({ roots: [resolve('/')] })
  const team = [...createBuiltInAgents({ tools: builtIn }), ...agents].map(({ id }) => id)
  refuseTaken('agents', ['integrations_agent', ...team])
  refuseTaken('tools', [
    'connect_app',
    'delegate_to_integrations_agent',
    ...team.map((id) => `delegate_to_${id}`),
    ...[...builtIn, ...files, ...tools].map(({ name }) => name),
  ])
}

function refuseTaken(field: string, names: readonly string[]): void {
  const taken = new Set<string>()
  for (const name of names) {
    if (taken.has(name)) throw new ConfigurationError(field, `the name "${name}" is taken`)
    taken.add(name)
  }
}
