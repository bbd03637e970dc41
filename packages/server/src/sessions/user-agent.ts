import type {
  AgentDefinition,
  AgentOptions,
  Integrations,
  LoadedAgents,
  Store,
  Tool,
  ToolContext,
  ToolRule,
} from '@capstan/harness'
import {
  createBuiltInAgents,
  createBuiltInTools,
  createFileTools,
  createOrchestrator,
  fail,
  loadAgents,
} from '@capstan/harness'
import type { SettingsStore } from '../settings/settings-store.ts'

/** Stands for the agent of a user's apps, which is another for each user. */
const APPS: AgentDefinition = {
  id: 'integrations_agent',
  description: '',
  instructions: '',
  setup: {
    input: { type: 'object' },
    async prepare() {
      throw new Error('it is replaced before anybody is spawned')
    },
  },
}

/** The agents the orchestrator may start: built in, of the program, and read once from the folder. */
export async function readAgents(
  folder: string,
  store: Store,
  own: readonly AgentDefinition[] = [],
): Promise<LoadedAgents> {
  const tools = createBuiltInTools({ artifacts: store.artifacts })
  // What a helper reads may lie in an app. None of them can do more than read there.
  const builtIns = createBuiltInAgents({ tools }).map((agent) => ({ ...agent, agents: [APPS] }))
  return loadAgents(folder, { builtIns: [APPS, ...builtIns, ...own] })
}

export interface UserAgentOptions {
  readonly userId: string
  readonly store: Store
  readonly settings: SettingsStore
  readonly integrations: Integrations
  readonly agents: readonly AgentDefinition[]
  /** Tools of the program, beside the built-in ones. */
  readonly tools?: readonly Tool[]
  readonly limits?: AgentOptions['limits']
  readonly policy?: readonly ToolRule[]
}

/** What the turns of a user run with. The same tools and the same prompt until folders are allowed, or none are any more. */
export function createUserAgent(options: UserAgentOptions): () => AgentOptions {
  const { userId, settings, policy = [] } = options
  const kits = new Map<boolean, ReturnType<typeof createKit>>()
  const safety = {
    rules: policy,
    get mode() {
      return settings.of(userId).safetyMode
    },
    get secrets() {
      return settings.secrets(userId)
    },
  }
  return () => {
    const hasRoots = settings.of(userId).roots.length > 0
    let kit = kits.get(hasRoots)
    if (!kit) kits.set(hasRoots, (kit = createKit(options, hasRoots)))
    return {
      ...kit,
      model: settings.model(userId).client,
      origin: 'web',
      safety,
      findModel: (name) => settings.makeModel(userId, name),
    }
  }
}

function createKit(
  { userId, store, settings, integrations, agents, tools = [], limits }: UserAgentOptions,
  hasRoots: boolean,
): Pick<AgentOptions, 'tools' | 'agents' | 'ready' | 'instructions' | 'limits'> {
  const files = hasRoots ? createLiveFileTools(() => settings.of(userId).roots) : []
  const builtIn = createBuiltInTools({ artifacts: store.artifacts })
  const apps = integrations.forUser(userId, [...builtIn, ...files, ...tools])
  const team = withApps(agents, apps.agents)
  const { instructions, maxIterations } = createOrchestrator({ tools: apps.tools, agents: team })
  return {
    tools: apps.tools,
    agents: team,
    ready: apps.ready,
    instructions,
    limits: { ...(maxIterations === undefined ? undefined : { maxIterations }), ...limits },
  }
}

/** The agents with the user's own apps in the place of `APPS`, at every depth. */
function withApps(
  agents: readonly AgentDefinition[],
  apps: readonly AgentDefinition[],
): readonly AgentDefinition[] {
  const made = new Map<AgentDefinition, AgentDefinition>()
  const toOwn = (agent: AgentDefinition): AgentDefinition => {
    if (agent === APPS) return apps[0] ?? agent
    const known = made.get(agent)
    if (known) return known
    const own: { -readonly [Key in keyof AgentDefinition]: AgentDefinition[Key] } = { ...agent }
    made.set(agent, own) // before those below it: two may name each other
    if (agent.agents) own.agents = agent.agents.map(toOwn)
    return own
  }
  return agents.map(toOwn)
}

/** Tools whose names and schemas stay, and whose folders are those that are allowed when they run. */
function createLiveFileTools(roots: () => readonly string[]): readonly Tool[] {
  let made: { readonly roots: readonly string[]; readonly tools: readonly Tool[] } | undefined
  const current = (): readonly Tool[] => {
    const now = roots()
    if (now.length === 0) return []
    if (made?.roots !== now) made = { roots: now, tools: createFileTools({ roots: now }) }
    return made.tools
  }
  return current().map((tool) => ({
    ...tool,
    run(args: never, context: ToolContext) {
      const live = current().find(({ name }) => name === tool.name)
      return live
        ? live.run(args, context)
        : fail('No folder is allowed any more. The user can allow one in Settings.', { deniedBy: 'policy' })
    },
  }))
}
