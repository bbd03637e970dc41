import type {
  AgentDefinition,
  AgentOptions,
  Tool,
  ToolContext,
  PolicyFunction,
  ToolRule,
} from '@capstan/harness'
import type { LoadedAgents } from '@capstan/harness/agents'
import type { Integrations } from '@capstan/harness/integrations'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Allowance, TurnObserver } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { fail } from '@capstan/harness'
import { createBuiltInAgents, createOrchestrator, loadAgents } from '@capstan/harness/agents'
import { createBuiltInTools, createFileTools, createMemoryTools, describeFacts } from '@capstan/harness/tools'
import type { NamedSecretStore } from '../settings/named-secrets.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { createProposeScheduleTool } from '../schedules/propose-schedule.ts'
import type { Schedules } from '../schedules/schedules.ts'
import { createLiveShell } from './live-shell.ts'

/** A placeholder for the integrations agent, which differs for each user. */
const APPS: AgentDefinition = {
  id: 'integrations_agent',
  description: '',
  instructions: '',
  setup: {
    input: { type: 'object' },
    async prepare() {
      throw new Error('the placeholder is replaced before any agent starts')
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
  // Built-in agents may read in apps through the integrations agent.
  const builtIns = createBuiltInAgents({ tools }).map((agent) => ({ ...agent, agents: [APPS] }))
  return loadAgents(folder, { builtIns: [APPS, ...builtIns, ...own] })
}

export interface UserAgentOptions {
  readonly userId: string
  readonly store: Store
  readonly settings: SettingsStore
  readonly namedSecrets: NamedSecretStore
  readonly integrations: Integrations
  readonly sandbox: Sandbox
  /** Credentials that must never reach the model, an event or a record. */
  readonly secrets: () => readonly string[]
  readonly agents: readonly AgentDefinition[]
  readonly schedules: Schedules
  readonly observers: readonly TurnObserver[]
  /** What the user may spend. */
  readonly allowance: Allowance
  /** Of the program, before the general ones. */
  readonly instructions?: string
  /** Tools of the program, beside the built-in ones. */
  readonly tools?: readonly Tool[]
  /** Exact `host:port` pairs that may be fetched although they are not public. */
  readonly fetchHosts?: readonly string[]
  readonly limits?: AgentOptions['limits']
  readonly agentSettings?: AgentOptions['agentSettings']
  readonly policy?: readonly ToolRule[] | PolicyFunction
}

/**
 * The agent options of a user's turns. Tools and prompt stay the same unless files or commands are switched on or off.
 */
export function createUserAgent(options: UserAgentOptions): () => AgentOptions {
  const { userId, store, settings, namedSecrets, allowance, policy = [] } = options
  const kits = new Map<MachineAccess, ReturnType<typeof createKit>>()
  const notes = async () => describeFacts(await store.memory.facts.list(userId, { status: 'accepted' }))
  const own = typeof policy === 'function' ? [] : policy
  const withCommands = [...own, ASK_ABOUT_COMMANDS]
  const safety = {
    namedSecrets: namedSecrets.of(userId),
    ...(typeof policy === 'function' ? { policy } : undefined),
    rules: () => (settings.of(userId).shell === 'ask' ? withCommands : own),
    mode: () => settings.of(userId).safetyMode,
    hosts: () => settings.of(userId).hosts,
    secrets: joinLists(options.secrets, () => namedSecrets.values(userId)),
  }
  return () => {
    const { roots, shell } = settings.of(userId)
    const { client, isDemo } = settings.model(userId)
    const access = roots.length === 0 ? 'none' : shell === 'off' ? 'files' : 'files-and-commands'
    let kit = kits.get(access)
    if (!kit) kits.set(access, (kit = createKit(options, access)))
    return {
      ...kit,
      allowance,
      ready: async () => {
        await allowance.ready()
        await kit.ready?.()
      },
      notes,
      observers: options.observers,
      model: client,
      origin: 'web',
      summariseResults: !isDemo, // the script of the demo cannot summarise
      safety,
      findModel: (name) => settings.makeModel(userId, name),
    }
  }
}

/** The values of two lists. The same array until one of them is another one. */
function joinLists(first: () => readonly string[], second: () => readonly string[]): () => readonly string[] {
  let parts: readonly [readonly string[], readonly string[]] = [[], []]
  let all: readonly string[] = []
  return () => {
    const now = [first(), second()] as const
    if (now[0] !== parts[0] || now[1] !== parts[1]) all = now.flat()
    parts = now
    return all
  }
}

/** Which tools for this machine the user has. */
type MachineAccess = 'none' | 'files' | 'files-and-commands'

const ASK_ABOUT_COMMANDS: ToolRule = { tool: 'shell', decision: 'ask' }

function createKit(
  {
    userId,
    store,
    settings,
    integrations,
    sandbox,
    agents,
    schedules,
    instructions: purpose,
    tools = [],
    fetchHosts = [],
    limits,
    agentSettings,
  }: UserAgentOptions,
  access: MachineAccess,
): Pick<AgentOptions, 'tools' | 'agents' | 'ready' | 'instructions' | 'limits' | 'agentSettings'> {
  const files = access === 'none' ? [] : createLiveFileTools(() => settings.of(userId).roots)
  const commands =
    access === 'files-and-commands' ? [createLiveShell(() => settings.of(userId), sandbox)] : []
  const builtIn = createBuiltInTools({ artifacts: store.artifacts, web: { allowHosts: fetchHosts } })
  const memory = createMemoryTools(store.memory, userId)
  const proposals = [createProposeScheduleTool(schedules, userId)]
  const own = [...builtIn, ...memory, ...proposals, ...files, ...commands, ...tools]
  const apps = integrations.forUser(userId, own)
  const team = withApps(agents, apps.agents)
  const { instructions, maxIterations } = createOrchestrator({ tools: apps.tools, agents: team })
  return {
    tools: apps.tools,
    agents: team,
    ready: apps.ready,
    instructions: purpose === undefined ? instructions : `${purpose}\n\n${instructions}`,
    ...(agentSettings && { agentSettings }),
    limits: { ...(maxIterations === undefined ? undefined : { maxIterations }), ...limits },
  }
}

/** Replaces `APPS` by the user's integrations agent, at every depth. */
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
    made.set(agent, own) // before its sub-agents: two agents may name each other
    if (agent.agents) own.agents = agent.agents.map(toOwn)
    return own
  }
  return agents.map(toOwn)
}

/** File tools with fixed names and schemas, whose folders are those allowed at the time of the call. */
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
