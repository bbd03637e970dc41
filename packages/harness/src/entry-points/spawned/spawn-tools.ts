import type { JsonObject } from '../../turn/json.ts'
import type { JsonSchema, Tool, ToolContext } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../../turn/tool/tool-outcome.ts'
import { checkArguments } from '../../tool-path/check-arguments.ts'
import { MAX_SUB_AGENTS, spawnedOf } from '../agent.ts'
import type { SubAgentTask } from '../child-run.ts'
import type { Delegation } from '../delegate-tools.ts'
import { inputOf } from '../delegate-tools.ts'
import { toMessageId } from './past-messages.ts'
import type { SpawnedAgent } from './spawned-agent.ts'
import { describeState, isOpen } from './spawned-agent.ts'
import type { SpawnedAgents } from './spawned-agents.ts'
import { STEER_TOOL } from './tool-names.ts'

const text = (description?: string): JsonSchema =>
  description === undefined ? { type: 'string' } : { type: 'string', description }
const object = (properties: JsonObject, ...required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required: [...required] }),
})

// Constants: a request has the same bytes in every turn.
const NAMED: JsonSchema = object({ agent: text() }, 'agent')
const MESSAGE: JsonSchema = object({ agent: text(), message: text() }, 'agent', 'message')
const DEFAULT_WAIT_S = 120
const MAX_WAIT_S = 600
const WAIT: JsonSchema = object({
  agents: { type: 'array', items: { type: 'string' } },
  seconds: { type: 'number', minimum: 1, maximum: MAX_WAIT_S },
})
const NOTHING: JsonSchema = object({})

/** What all of these tools share: they change nothing, and what they answer is the harness's own. */
const OWN = {
  effect: 'read',
  returns: [],
  destinations: [],
  alone: true,
  timeoutMs: false,
} as const

/** Creates the tools with which an agent lets sub-agents work beside it. */
export function createSpawnTools(delegation: Delegation): readonly Tool[] {
  return [
    spawnTool(delegation),
    defineTool({
      ...OWN,
      name: 'wait_agent',
      description: `Waits until one of the agents (default: all) has ended, ${DEFAULT_WAIT_S} seconds unless told.`,
      input: WAIT,
      polls: true,
      run: (args, context) => wait(args as WaitArguments, context),
    }),
    defineTool({
      ...OWN,
      name: STEER_TOOL,
      description: 'Gives a working agent a message, which it reads before its next step.',
      input: MESSAGE,
      run: (args, context) =>
        withAgent(args, context, (agent) => {
          if (!isOpen(agent)) return fail(`"${agent.name}" ${describeState(agent)}.`, { httpStatus: 409 })
          const id = toMessageId(context.run.runId, context.callId)
          spawnedOf(context.run)!.steer(agent, (args as { message: string }).message, id)
          return succeed(`"${agent.name}" reads it before its next step.`)
        }),
    }),
    defineTool({
      ...OWN,
      name: 'list_agents',
      description: 'Lists the agents started in this turn and how they are.',
      input: NOTHING,
      polls: true,
      run: (_args, { run }) => list(spawnedOf(run)!.all),
    }),
    defineTool({
      ...OWN,
      name: 'close_agent',
      description: 'Ends an agent. Its report says what it had done.',
      input: NAMED,
      run: (args, context) =>
        withAgent(args, context, async (agent) => {
          if (isOpen(agent)) await spawnedOf(context.run)!.close(agent)
          return succeed(list([agent]))
        }),
    }),
  ]
}

function spawnTool(delegation: Delegation): Tool {
  const { agents } = delegation
  const more = agents.some(({ setup }) => setup) ? { arguments: { type: 'object' } } : undefined
  return defineTool({
    ...OWN,
    name: 'spawn_agent',
    description:
      `Starts an agent beside your own work, at most ${MAX_SUB_AGENTS} at once. Its report comes as a notice before your ` +
      'turn ends.',
    input: object(
      {
        agent: { type: 'string', enum: agents.map(({ id }) => id) },
        prompt: text(),
        context: text(),
        ...more,
      },
      'agent',
      'prompt',
    ),
    label: ({ agent, prompt }) => ({
      label: `Start ${typeof agent === 'string' ? agent.replaceAll('_', ' ') : 'an agent'}`,
      ...(typeof prompt === 'string' ? { detail: prompt } : undefined),
    }),
    run: (args, context) => spawn(args as unknown as SpawnArguments, context, delegation),
  })
}

interface SpawnArguments extends SubAgentTask {
  readonly agent: string
  readonly arguments?: JsonObject
}

async function spawn(
  { agent: id, arguments: more, ...task }: SpawnArguments,
  context: ToolContext,
  delegation: Delegation,
): Promise<ToolOutcome> {
  const { run, callId, signal } = context
  const spawned = spawnedOf(run)!
  const before = spawned.ofCall(callId)
  if (before) return started(before)
  if (signal.aborted) return fail('It was stopped before it began.', { cancelled: true })
  const open = spawned.all.filter(isOpen)
  if (open.length >= MAX_SUB_AGENTS) return tooMany(open)
  const definition = delegation.agents.find((one) => one.id === id)
  if (!definition) return fail(`There is no agent "${id}".`, { errorCode: 'ENOENT' })
  const given = await checkSetup(definition, { ...more, ...task })
  if ('refusal' in given) return given.refusal
  const prepared = await definition.setup?.prepare(given.args, context)
  if (prepared && 'refusal' in prepared) return { ...prepared.refusal, lead: prepared.refusal.text, text: '' }
  const name = delegation.waiting.newName(id, run.archive?.countChildren(run.conversationId))
  const setup = definition.setup ? { setup: prepared?.setup ?? given.args } : undefined
  const refused = await spawned.start({ name, definition, task, callId, ...setup }, prepared)
  return refused ?? started(spawned.find(name)!)
}

/** Checks the arguments of an agent with a setup, as its delegate tool would. */
async function checkSetup(
  definition: Delegation['agents'][number],
  args: JsonObject,
): Promise<{ readonly args: JsonObject } | { readonly refusal: ToolOutcome }> {
  if (!definition.setup) return { args }
  const name = `delegate_to_${definition.id}`
  const tool: Tool = { name, description: '', input: inputOf(definition), effect: 'read', run: () => '' }
  const checked = await checkArguments(tool, args)
  return 'refusal' in checked ? checked : { args: checked.value as JsonObject }
}

const started = ({ name }: SpawnedAgent): ToolOutcome => succeed(`Started as "${name}".`)

const tooMany = (open: readonly SpawnedAgent[]): ToolOutcome =>
  fail(
    `Not started: ${MAX_SUB_AGENTS} agents work for you already. Wait for one or close one first.\n${list(open)}`,
    { httpStatus: 409 },
  )

interface WaitArguments {
  readonly agents?: readonly string[]
  readonly seconds?: number
}

async function wait(
  { agents: names, seconds = DEFAULT_WAIT_S }: WaitArguments,
  { run, signal }: ToolContext,
): Promise<ToolOutcome> {
  const spawned = spawnedOf(run)!
  const unknown = names?.find((name) => !spawned.find(name))
  if (unknown !== undefined) return notFound(unknown, spawned)
  const awaited = names ? names.map((name) => spawned.find(name)!) : spawned.all.filter(isOpen)
  const timeout = new AbortController()
  const disarm = run.clock.after(seconds * 1000, () => timeout.abort())
  try {
    await spawned.waitFor(awaited, AbortSignal.any([signal, timeout.signal]))
  } finally {
    disarm()
  }
  return succeed(list(names ? awaited : spawned.all))
}

function withAgent(
  args: JsonObject,
  { run }: ToolContext,
  work: (agent: SpawnedAgent) => ToolOutcome | Promise<ToolOutcome>,
): ToolOutcome | Promise<ToolOutcome> {
  const spawned = spawnedOf(run)!
  const { agent: name } = args as { readonly agent: string }
  const agent = spawned.find(name)
  return agent ? work(agent) : notFound(name, spawned)
}

const notFound = (name: string, { all }: SpawnedAgents): ToolOutcome =>
  fail(`There is no agent "${name}".\n${list(all)}`, { errorCode: 'ENOENT' })

const list = (agents: readonly SpawnedAgent[]): string =>
  agents.length === 0
    ? 'No agent was started in this turn.'
    : agents.map((agent) => `"${agent.name}" ${describeState(agent)}.`).join('\n')
