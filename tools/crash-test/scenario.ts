import type { QueueMode } from '@capstan/protocol'
import type { Random } from './random.ts'
import { createRandom } from './random.ts'

/** What the model does with a message. It is part of the message, so the model needs no memory. */
export interface Plan {
  readonly tag: string
  readonly steps: readonly Step[]
}

/** One reply: text, then calls. */
export interface Step {
  /** Pieces of text before the calls. */
  readonly words: number
  readonly calls: readonly PlannedCall[]
  /** Only when all sub-agents that were started without waiting have reported. */
  readonly waits?: true
  /** How the model fails the first time a process requests this reply; `dead` every time. */
  readonly trouble?: (typeof TROUBLES)[number]
}

/** One call of a reply. */
export interface PlannedCall {
  readonly tool: string
  readonly tag: string
  /** The plan of a sub-agent. */
  readonly plan?: Plan
  /** The action of an app that is called directly. */
  readonly action?: string
  /** The app, unless it is the usual one. Its action takes a title. */
  readonly toolkit?: string
  /** The agent that is started without waiting for it. */
  readonly spawns?: string
  /** The call whose sub-agent continues with this plan. */
  readonly continues?: string
}

/** An answer to an approval. */
export type Decision = 'allow-once' | 'allow-always' | 'deny'

/** A message sent while a turn is running. */
export interface Interjection {
  readonly id: string
  readonly mode: 'steer' | 'follow-up'
  readonly text: string
  readonly afterMs: number
}

/** One message and what is sent during its turn. */
export interface TurnScript {
  readonly messageId: string
  readonly text: string
  readonly interjections: readonly Interjection[]
  /** Sent although the previous turn waits for an answer; that turn is then abandoned. */
  readonly movesOn: boolean
}

/** The turns of one thread. */
export interface ThreadScript {
  readonly id: string
  /** A low cap that turns will reach; absent: no cap. */
  readonly maxIterations?: number
  /** Calls are written as text. */
  readonly inText: boolean
  readonly turns: readonly TurnScript[]
}

/** Everything that happens in one round. */
export interface Scenario {
  readonly threads: readonly ThreadScript[]
}

/** The tools of the scenario by their kind. */
export const TOOLS = {
  read: 'look',
  write: 'save',
  keyed: 'pay',
  asked: 'send',
  ask: 'ask_user',
  continue: 'continue_agent',
  spawn: 'spawn_agent',
  wait: 'wait_agent',
  appRead: 'find_item',
  appWrite: 'create_item',
  callAction: 'call_action',
  appAgent: 'delegate_to_integrations_agent',
} as const

/** The tools that change something outside. */
export const EFFECT_TOOLS: ReadonlySet<string> = new Set([
  TOOLS.write,
  TOOLS.keyed,
  TOOLS.asked,
  TOOLS.appWrite,
])

/** The app that the tools of an app belong to. */
export const TOOLKIT = 'stock'

/** An app behind a sign-in. */
export const NOTES = 'notes'

/** The scenario of a round. */
export function createScenario(
  seed: number,
  round: number,
  threadCount: readonly [least: number, most: number] = [1, 3],
): Scenario {
  const random = createRandom(seed, round, 'scenario')
  const threads: ThreadScript[] = []
  const count = random.int(...threadCount)
  for (let t = 1; t <= count; t++) threads.push(createThread(random, `r${round}t${t}`))
  return { threads }
}

/** What messages become that wait for a running turn: in half of the rounds one turn, else a turn each. */
export const queueModeOf = ({ threads }: Scenario): QueueMode =>
  createRandom(threads[0]?.id ?? '', 'queue').chance(0.5) ? 'collect' : 'one-by-one'

/** One turn with many writing sub-agents, in waves of four. */
export function createWaves(seed: number, round: number, agents: number): Scenario {
  const random = createRandom(seed, round, 'waves')
  const tag = `r${round}t1m1`
  const steps: Step[] = []
  for (let first = 0; first < agents; first += WAVE) {
    const calls: PlannedCall[] = []
    for (let n = first; n < Math.min(first + WAVE, agents); n++)
      calls.push(createWriter(random, `${tag}a${n}`))
    steps.push({ words: 1, waits: true, calls })
  }
  const turn = { messageId: tag, text: toText({ tag, steps }), interjections: [], movesOn: false }
  return { threads: [{ id: `r${round}t1`, inText: false, maxIterations: agents * 6, turns: [turn] }] }
}

const WAVE = 4

function createWriter(random: Random, tag: string): PlannedCall {
  const steps: Step[] = []
  const count = random.int(1, 2)
  for (let s = 1; s <= count; s++) {
    const tool = random.pick([TOOLS.write, TOOLS.keyed, TOOLS.asked])
    steps.push({ words: 1, calls: [{ tool, tag: `${tag}s${s}` }] })
  }
  return { tool: TOOLS.spawn, tag, spawns: 'worker1', plan: { tag, steps } }
}

function createThread(random: Random, id: string): ThreadScript {
  const isCapped = random.chance(0.15)
  const turns: TurnScript[] = []
  const count = random.int(1, 3)
  for (let m = 1; m <= count; m++) {
    const tag = `${id}m${m}`
    const steps = isCapped && random.chance(0.5) ? random.int(4, 6) : random.int(0, 4)
    turns.push({
      messageId: tag,
      text: toText({ tag, steps: createSteps(random, tag, steps, 0) }),
      interjections: createInterjections(random, tag),
      movesOn: random.chance(0.1),
    })
  }
  return { id, inText: random.chance(0.15), ...(isCapped ? { maxIterations: 3 } : undefined), turns }
}

function createInterjections(random: Random, tag: string): readonly Interjection[] {
  const interjections: Interjection[] = []
  const count = random.chance(0.5) ? random.int(1, 2) : 0
  for (let n = 1; n <= count; n++) {
    const id = `${tag}i${n}`
    const steps = createSteps(random, id, random.int(0, 1), 0)
    interjections.push({
      id,
      mode: random.chance(0.6) ? 'steer' : 'follow-up',
      text: toText({ tag: id, steps }),
      afterMs: random.int(0, 12),
    })
  }
  return interjections
}

function createSteps(random: Random, tag: string, count: number, depth: number): readonly Step[] {
  const steps: Step[] = []
  for (let s = 1; s <= count; s++) {
    const calls: PlannedCall[] = []
    const width = random.chance(0.5) ? 1 : random.int(2, 4)
    for (let c = 1; c <= width; c++) calls.push(createCall(random, `${tag}s${s}c${c}`, depth))
    const trouble = random.chance(0.08) ? random.pick(TROUBLES) : undefined
    const waits = random.chance(0.2) ? { waits: true as const } : undefined
    steps.push({ words: random.int(0, 6), calls, ...waits, ...(trouble ? { trouble } : undefined) })
    const asking = calls.filter(
      ({ plan, spawns }) => !spawns && plan?.steps.at(-1)?.calls.at(-1)?.tool === TOOLS.ask,
    )
    if (asking.length > 0)
      steps.push({ words: 1, calls: asking.map((call) => createAnswer(random, call, depth)) })
  }
  if (depth > 0 ? random.chance(0.2) : random.chance(0.03))
    steps.push({ words: 1, calls: [{ tool: TOOLS.ask, tag: `${tag}q` }] })
  return steps
}

/** A call that answers a sub-agent and continues it. */
function createAnswer(random: Random, { tag: asked }: PlannedCall, depth: number): PlannedCall {
  const tag = `${asked}a`
  const calls = [{ tool: random.pick([TOOLS.read, TOOLS.write, TOOLS.keyed]), tag: `${tag}s1c1` }]
  return {
    tool: TOOLS.continue,
    tag,
    continues: asked,
    plan: { tag, steps: depth < 3 ? [{ words: 1, calls }] : [] },
  }
}

const TROUBLES = ['busy', 'breaks', 'breaks', 'refuses', 'dead', 'hangs', 'empty', 'empty'] as const

function createCall(random: Random, tag: string, depth: number): PlannedCall {
  if (random.chance(0.15)) return createAppCall(random, tag, depth)
  if (depth < 3 && random.chance(depth === 0 ? 0.25 : 0.4)) {
    const isReader = random.chance(0.3)
    const steps = isReader
      ? [{ words: random.int(0, 2), calls: [{ tool: TOOLS.read, tag: `${tag}r` }] }]
      : createSteps(random, tag, random.int(1, 2), depth + 1)
    const agent = isReader ? 'reader' : `worker${depth + 1}`
    return random.chance(0.4)
      ? { tool: TOOLS.spawn, tag, spawns: agent, plan: { tag, steps } }
      : { tool: `delegate_to_${agent}`, tag, plan: { tag, steps } }
  }
  const tool = random.pick([
    TOOLS.read,
    TOOLS.read,
    TOOLS.write,
    TOOLS.write,
    TOOLS.keyed,
    TOOLS.keyed,
    TOOLS.asked,
  ])
  return { tool, tag }
}

/** Work in the app: a direct call, or a sub-agent with one to three calls. */
function createAppCall(random: Random, tag: string, depth: number): PlannedCall {
  const pick = () => random.pick([TOOLS.appRead, TOOLS.appWrite, TOOLS.appWrite])
  if (depth > 0 || random.chance(0.5)) return { tool: TOOLS.callAction, tag, action: pick() }
  const steps: Step[] = []
  const count = random.int(1, 3)
  for (let s = 1; s <= count; s++) {
    const trouble = random.chance(0.1) ? random.pick(TROUBLES) : undefined
    const calls = [{ tool: pick(), tag: `${tag}s${s}` }]
    steps.push({ words: 1, calls, ...(trouble && { trouble }) })
  }
  return { tool: TOOLS.appAgent, tag, plan: { tag, steps } }
}

const OPEN = '<<'
const CLOSE = '>>'

/** A message with a plan in it. */
export function toText(plan: Plan): string {
  return `Please do ${plan.tag}. ${OPEN}${JSON.stringify(plan)}${CLOSE}`
}

/** Reads the plan in a message. */
export function parsePlan(text: string): Plan | undefined {
  const from = text.indexOf(OPEN)
  const to = text.lastIndexOf(CLOSE)
  return from === -1 || to === -1 ? undefined : (JSON.parse(text.slice(from + OPEN.length, to)) as Plan)
}

/** The answer to an approval. It depends only on the tag, so it is the same in every start. */
export function decide(tag: string): Decision {
  const random = createRandom(tag, 'decision')
  if (random.chance(0.25)) return 'deny'
  return random.chance(0.05) ? 'allow-always' : 'allow-once'
}
