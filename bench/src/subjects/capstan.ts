import type { AgentDefinition, ModelClient } from '@capstan/harness'
import type { ToolkitMode } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import { createLiveTools, createSession, defineTool } from '@capstan/harness'
import { createBuiltInAgents } from '@capstan/harness/agents'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import { createBuiltInTools } from '@capstan/harness/tools'
import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import { beginConnecting, createBenchConnector, VISITOR } from '../measures/bench-connector.ts'
import { toCall, toReply } from '../script.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import type { BenchTool, Conversation, Stage, Subject, WriteAppTurn } from '../subject.ts'
import type { Tape } from '../tape.ts'

/**
 * Everything is on: default guards, argument checks, classification, events with a listener, the ledger in memory.
 * It always streams. Its default budget is 200 model calls, and 200 iterations take one more, so the
 * caps are raised. A late tool is announced in the conversation and called through `call_tool`.
 */
export const subject: Subject = {
  ...capstanOn((tape) => createFakeModelClient(tape)),
  withApps: {
    capstan: { open: (stage) => openWithApps(stage, 'constant'), writeAppTurn },
    'capstan-live-enum': { open: (stage) => openWithApps(stage, 'live-enum'), writeAppTurn },
  },
}

/**
 * The same subject on any model and any store, or none. Every conversation is a new thread. Events are
 * reported after they are stored, so with a store pieces of text that arrive together are joined.
 */
export function capstanOn(
  createModel: (tape: Tape) => ModelClient,
  toStore: (() => Store) | 'no store' = createMemoryStore,
): Subject {
  const keeps = toStore !== 'no store'
  return {
    open: (stage) => create(stage, createModel(stage.tape), keeps ? { store: toStore() } : {}),
    ...(keeps ? { joinsDeltas: true } : undefined),
    shortens: true,
    writeLateCall: (tool, args) => ({ tool: 'call_tool', args: { name: tool, arguments: args } }),
    nested: {
      open: (stage, chain) =>
        create(stage, createModel(stage.tape), {
          ...(keeps ? { store: toStore() } : {}),
          agents: toChain(chain),
        }),
      writeDelegation: (agent) => ({ tool: `delegate_to_${agent}`, args: { prompt: 'Read them all.' } }),
    },
  }
}

function create(
  { instructions, tools, maxIterations, onDelta }: Stage,
  model: ModelClient,
  more: { readonly store?: Store; readonly agents?: readonly AgentDefinition[] },
): Conversation {
  const live = createLiveTools(tools.map(toTool))
  let events = 0
  const session = createSession({
    model,
    ...more,
    instructions,
    tools: live,
    limits: { maxIterations },
    budget: { iterations: 10 * maxIterations },
    onEvent(event) {
      events++
      if (event.type === 'text-delta') onDelta?.(event.delta)
    },
  })
  return {
    addTool: (tool) => void live.add(toTool(tool)),
    async send(text) {
      const outcome = await session.send(text)
      if (outcome.type !== 'done') throw new Error(`ended ${outcome.type}: ${outcome.text}`)
      if (events === 0) throw new Error('reported no events')
      return outcome.text
    },
  }
}

/** Each agent of the chain can only call the next one; the last one has the tools. */
function toChain([id, ...rest]: readonly string[]): readonly AgentDefinition[] {
  if (id === undefined) return []
  return [
    {
      id,
      description: 'Reads entries, or has them read.',
      instructions: 'Read the entries you are asked for.',
      effectCeiling: 'read',
      agents: toChain(rest),
    },
  ]
}

/** The actions are found once in a conversation and called directly after that. */
function writeAppTurn({ app, calls, isFirst }: Parameters<WriteAppTurn>[0]): ReturnType<WriteAppTurn> {
  return [
    ...(isFirst
      ? [toReply([], [toCall(1_000, 'find_actions', { toolkit: app.slug, query: 'read a register' })])]
      : []),
    ...calls.map(({ id, tool, i }) =>
      toReply([], [toCall(id, 'call_action', { toolkit: app.slug, action: tool, arguments: { i } })]),
    ),
  ]
}

/** An orchestrator with all built-in agents. Apps are connected as a user connects them. */
async function openWithApps(
  { instructions, tape, apps = [] }: Stage,
  mode: ToolkitMode,
): Promise<Conversation> {
  const store = createMemoryStore()
  const integrations = createIntegrations({
    connectors: [createBenchConnector(apps)],
    store: store.connections,
    mode,
  })
  for (const { slug } of apps) await (await beginConnecting(integrations.connections, slug))()
  const own = integrations.forUser(VISITOR.userId)
  const session = createSession({
    model: createFakeModelClient(tape),
    store,
    instructions,
    ...own,
    agents: [...own.agents, ...createBuiltInAgents({ tools: createBuiltInTools() })],
  })
  return {
    addTool() {
      throw new Error('apps are connected, and not added')
    },
    send: async (text) => (await session.send(text)).text,
    close: () => integrations.close(),
  }
}

function toTool(tool: BenchTool) {
  return defineTool({
    name: tool.name,
    description: tool.description,
    input: INPUT_SCHEMA,
    effect: 'read',
    run: ({ i }) => tool.run({ i: Number(i) }),
  })
}
