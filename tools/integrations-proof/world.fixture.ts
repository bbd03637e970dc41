import type { AgentDefinition, ModelClient, Threads, Tool } from '@capstan/harness'
import type { EventBus, Integrations, ToolkitMode } from '@capstan/harness/integrations'
import type { ModelPart, ModelRequest } from '@capstan/harness/models'
import type { Store } from '@capstan/harness/stores'
import { createThreads, textOf } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
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
  /** Requests of the conversation itself, its sub-agents' left out, each as it was when it was sent. */
  readonly sent: readonly Sent[]
  /** As settings, or another client, would: nothing of it goes through a turn. */
  connect(slug: string): Promise<ConnectionRow>
  disconnect(slug: string): Promise<void>
}

/** A request, written down at the moment it was sent: what changes it later cannot hide. */
export interface Sent {
  readonly system: string
  readonly tools: string
  readonly messages: readonly string[]
  readonly notices: readonly string[]
}

export interface WorldOptions {
  readonly apps: InProcessApps
  /** Decides when it sees the request. */
  readonly reply: Step
  /** Called with each request of the conversation itself before it is answered. */
  readonly onSent?: (sent: Sent) => void
  /** Awaited before each piece of a reply goes on. */
  readonly onPart?: (request: ModelRequest, part: ModelPart) => Promise<void> | undefined
  readonly tools?: readonly Tool[]
  /** Besides the one for apps. */
  readonly agents?: readonly AgentDefinition[]
  readonly mode?: ToolkitMode
  readonly bus?: EventBus
  readonly store?: Store
  /** More than this is a bug. */
  readonly maxRequests?: number
}

/** A user with apps, threads, and a scripted model. */
export function createWorld(options: WorldOptions): World {
  const { apps, reply, onPart, tools = [], mode = 'constant', store = createMemoryStore() } = options
  const script = new ScriptedModel(...Array.from({ length: options.maxRequests ?? 50 }, () => reply))
  const sent: Sent[] = []
  const model: ModelClient = {
    id: script.id,
    abilities: script.abilities,
    stream(request, signal, emit) {
      if (isLead(request)) {
        const now = toSent(request)
        sent.push(now)
        options.onSent?.(now)
      }
      return script.stream(request, signal, async (part) => {
        await onPart?.(request, part)
        await emit(part)
      })
    },
  }
  const integrations = createIntegrations({
    connectors: [apps.connector],
    store: store.connections,
    mode,
    ...(options.bus ? { bus: options.bus } : undefined),
  })
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
    sent,
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

/** Whether the conversation itself asks, and not a sub-agent of it. */
export const isLead = ({ system }: ModelRequest): boolean => system.includes(LEAD)

export const noticesIn = ({ messages }: ModelRequest): readonly string[] =>
  messages.filter(({ role }) => role === 'notice').map(textOf)

export const comes = (slug: string) => (notice: string) =>
  notice.includes(`The app ${toName(slug)} is connected now`)

export const goes = (slug: string) => (notice: string) => notice.includes(`(toolkit "${slug}") is no longer`)

const toSent = (request: ModelRequest): Sent => ({
  system: request.system,
  tools: JSON.stringify(request.tools.map(({ name, description, input }) => ({ name, description, input }))),
  messages: request.messages.map((message) => JSON.stringify(message)),
  notices: noticesIn(request),
})

/** Where a request is not a pure extension of the one before it, or nothing. */
export function findChange(sent: readonly Sent[]): string | undefined {
  for (const [n, { system, tools, messages }] of sent.entries()) {
    const before = sent[n - 1]
    if (!before) continue
    if (system !== before.system) return `the system prompt of request ${n}`
    if (tools !== before.tools) return `the tools of request ${n}`
    const at = before.messages.findIndex((message, index) => message !== messages[index])
    if (at >= 0) return `message ${at} of request ${n}`
  }
  return undefined
}

/** The toolkits that the schema of the delegating tool lists. */
export function enumIn({ tools }: Sent): readonly string[] {
  const offered = JSON.parse(tools) as {
    readonly name: string
    readonly input: { readonly properties: { readonly toolkit?: { readonly enum?: readonly string[] } } }
  }[]
  return offered.find(({ name }) => name === DELEGATE)?.input.properties.toolkit?.enum ?? []
}
