import type {
  AgentDefinition,
  Integrations,
  ModelClient,
  ModelPart,
  ModelRequest,
  Store,
  Threads,
  Tool,
} from '@capstan/harness'
import { createIntegrations, createMemoryStore, createThreads, textOf } from '@capstan/harness'
import type { Step } from '@capstan/harness/testing'
import { ALLOW_ALL, ScriptedModel } from '@capstan/harness/testing'
import type { ConnectionRow, TurnEvent } from '@capstan/protocol'
import type { InProcessApps } from './in-process-apps.fixture.ts'
import { GOOD_CODE, toName } from './in-process-apps.fixture.ts'

export const DELEGATE = 'delegate_to_integrations_agent'
export const VISITOR = {
  userId: 'local',
  browserId: 'browser-1',
  redirectUri: 'http://127.0.0.1/callback',
}

const LEAD = 'You lead.'

export interface World {
  readonly integrations: Integrations
  readonly threads: Threads
  readonly events: readonly TurnEvent[]
  /** Requests of the conversation itself, its sub-agents' left out. */
  leadRequests(): readonly ModelRequest[]
  /** As settings, or another client, would: nothing of it goes through a turn. */
  connect(slug: string): Promise<ConnectionRow>
  disconnect(slug: string): Promise<void>
}

export interface WorldOptions {
  readonly apps: InProcessApps
  /** Decides when it sees the request. */
  readonly reply: Step
  /** Awaited before each piece of a reply goes on. */
  readonly onPart?: (request: ModelRequest, part: ModelPart) => Promise<void> | undefined
  readonly tools?: readonly Tool[]
  /** Besides the one for apps. */
  readonly agents?: readonly AgentDefinition[]
  readonly mode?: 'constant' | 'live-enum'
  readonly store?: Store
  /** More than this is a bug. */
  readonly maxRequests?: number
}

/** A user with apps, threads, and a model that does as it is told. */
export function createWorld(options: WorldOptions): World {
  const { apps, reply, onPart, tools = [], mode = 'constant', store = createMemoryStore() } = options
  const script = new ScriptedModel(...Array.from({ length: options.maxRequests ?? 50 }, () => reply))
  const model: ModelClient = onPart ? listened(script, onPart) : script
  const integrations = createIntegrations({ connectors: [apps.connector], store: store.connections, mode })
  const own = integrations.forUser(VISITOR.userId, tools)
  const events: TurnEvent[] = []
  const threads = createThreads({
    store,
    bus: integrations.bus,
    agent: {
      model,
      origin: 'web',
      instructions: LEAD,
      safety: ALLOW_ALL,
      ...own,
      agents: [...own.agents, ...(options.agents ?? [])],
    },
    onEvent: (event) => void events.push(event),
  })
  const { connections } = integrations
  return {
    integrations,
    threads,
    events,
    leadRequests: () => Array.from({ length: script.requests }, (_, n) => script.request(n)).filter(isLead),
    async connect(slug) {
      const begun = await connections.begin(VISITOR.userId, slug)
      if (!begun) throw new Error(`there is no ${slug}`)
      const step = await connections.signIn(begun.id, VISITOR)
      if (step.type !== 'visit') throw new Error(step.type)
      const state = new URL(step.url).searchParams.get('state')!
      const answer = await connections.finish(new URLSearchParams({ state, code: GOOD_CODE }), VISITOR)
      if (answer.type !== 'settled') throw new Error(answer.type)
      return answer.connection
    },
    async disconnect(slug) {
      for (const { id, toolkit } of await connections.list(VISITOR.userId))
        if (toolkit === slug) await connections.disconnect(VISITOR.userId, id)
    },
  }
}

const listened = (model: ScriptedModel, hear: NonNullable<WorldOptions['onPart']>): ModelClient => ({
  id: model.id,
  abilities: model.abilities,
  stream: (request, signal, onPart) =>
    model.stream(request, signal, async (part) => {
      await hear(request, part)
      await onPart(part)
    }),
})

/** Whether the conversation itself asks, and not a sub-agent of it. */
export const isLead = ({ system }: ModelRequest): boolean => system.includes(LEAD)

export const noticesIn = ({ messages }: ModelRequest): readonly string[] =>
  messages.filter(({ role }) => role === 'notice').map(textOf)

export const comes = (slug: string) => (notice: string) =>
  notice.includes(`The app ${toName(slug)} is connected now`)

export const goes = (slug: string) => (notice: string) => notice.includes(`(toolkit "${slug}") is no longer`)

/** The tools as they travel. */
export const toolText = ({ tools }: ModelRequest): string =>
  JSON.stringify(tools.map(({ name, description, input }) => ({ name, description, input })))

/** Where a request is not a pure extension of the one before it, or nothing. */
export function findChange(requests: readonly ModelRequest[]): string | undefined {
  for (const [n, request] of requests.entries()) {
    const before = requests[n - 1]
    if (!before) continue
    if (request.system !== before.system) return `the system prompt of request ${n}`
    if (toolText(request) !== toolText(before)) return `the tools of request ${n}`
    const at = before.messages.findIndex(
      (message, index) => JSON.stringify(message) !== JSON.stringify(request.messages[index]),
    )
    if (at >= 0) return `message ${at} of request ${n}`
  }
  return undefined
}
