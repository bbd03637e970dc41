import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ModelRequest } from '@capstan/harness/models'
import type { Store } from '@capstan/harness/stores'
import { defineTool } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import type { ScriptedReply } from '@capstan/harness/testing'
import { calls, says } from '@capstan/harness/testing'
import { openEmbeddedStore } from '@capstan/stores'
import { createRandom } from '../crash-test/random.ts'
import type { Random } from '../crash-test/random.ts'
import { createInProcessApps } from './in-process-apps.fixture.ts'
import { comes, createWorld, DELEGATE, findChange, isLead, noticesIn } from './world.fixture.ts'

const RUNS = Number(process.env['PROOF_RUNS'] ?? 1_000)
/** Printed when a run fails: with it, that run is the same on every machine. */
const SEED = Number(process.env['PROOF_SEED'] ?? 5)

const SLUGS = ['notes', 'mail', 'maps', 'books', 'photos']
const MOMENTS = ['streaming', 'tool', 'sub-agent', 'between'] as const
type Moment = (typeof MOMENTS)[number]

it(`an app connected elsewhere is usable at the next model call, in all of ${RUNS} random runs`, async () => {
  const seen = await tryRuns(RUNS, createMemoryStore)
  // Every kind of moment was tried, and often.
  expect(seen.size).toBe(MOMENTS.length * 2)
  for (const count of seen.values()) expect(count).toBeGreaterThan(RUNS / 20)
}, 60_000)

it(
  'an app connected elsewhere is usable at the next model call, with a store on disk',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-elsewhere-'))
    let n = 0
    try {
      const seen = await tryRuns(40, () => openEmbeddedStore({ folder: join(folder, `run-${n++}`) }))
      expect(seen.size).toBe(MOMENTS.length * 2)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

/** How often each kind of moment was tried. Fails at the first run that is not as it should be. */
async function tryRuns(runs: number, openStore: () => Store): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>()
  for (let run = 0; run < runs; run++) {
    const random = createRandom(SEED, run)
    const plan = toPlan(random)
    const store = openStore()
    const problem = await tryRun(plan, random, store)
    await store.close()
    expect(problem && `PROOF_SEED=${SEED}, run ${run}, ${plan.moment}: ${problem}`).toBeUndefined()
    const kind = `${plan.moment}${plan.isAwaited ? '' : ', racing'}`
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
  }
  return seen
}

interface Plan {
  readonly moment: Moment
  /** Whether what happens at the moment waits for the connection, or only begins it. */
  readonly isAwaited: boolean
  readonly target: string
  /** Connected from the beginning. */
  readonly before: readonly string[]
  /** Calls of the conversation in the first turn before it would end. */
  readonly steps: number
  /** In which of them it happens, and at which piece of the reply. */
  readonly atStep: number
  readonly atPart: number
}

function toPlan(random: Random): Plan {
  const moment = random.pick(MOMENTS)
  const target = random.pick(SLUGS)
  const others = SLUGS.filter((slug) => slug !== target)
  const before = others.slice(0, random.int(moment === 'sub-agent' ? 1 : 0, 2))
  const steps = random.int(2, 5)
  const atStep = random.int(1, steps - 1)
  return { moment, isAwaited: random.chance(0.5), target, before, steps, atStep, atPart: random.int(1, 4) }
}

/** One run, and what was wrong with it. */
async function tryRun(plan: Plan, random: Random, store: Store): Promise<string | undefined> {
  const { moment, target, steps, atStep } = plan
  const apps = createInProcessApps({
    slugs: SLUGS,
    // Some answers come at once, some only after everything else had its turn.
    pause: () => (random.chance(0.3) ? setImmediate() : undefined),
  })
  let connecting: Promise<unknown> | undefined
  let requestsAtPublish: number | undefined
  let step = 0
  let part = 0
  const strike = (): Promise<void> | undefined => {
    if (connecting) return undefined
    connecting = world.connect(target)
    return plan.isAwaited ? connecting.then(() => undefined) : undefined
  }
  const lookUp = defineTool({
    name: 'look_up',
    description: 'Looks something up.',
    input: { type: 'object', properties: { n: { type: 'number' } } },
    effect: 'read',
    async run({ n }) {
      if (moment === 'tool' && n === atStep) await strike()
      return `entry ${Number(n)}`
    },
  })
  function replyToLead(request: ModelRequest): ScriptedReply {
    const last = request.messages.at(-1)!
    if (last.role === 'tool' && apps.done.some((done) => done.startsWith(`${target}:`))) return says('Done.')
    if (noticesIn(request).some(comes(target))) return delegate(target)
    if (step >= steps) return says('Nothing more to do.')
    step++
    part = 0
    if (moment === 'sub-agent' && step === atStep) return delegate(plan.before[0]!)
    return calls('look_up', { n: step }, { text: 'One moment, I shall look that up for you.', chunk: 8 })
  }
  const world = createWorld({
    apps,
    store,
    tools: [lookUp],
    reply: (request) => (isLead(request) ? replyToLead(request) : replyToChild(request)),
    onPart(request) {
      const isMoment =
        moment === 'streaming'
          ? isLead(request) && step === atStep
          : moment === 'sub-agent' && !isLead(request)
      return isMoment && ++part === plan.atPart ? strike() : undefined
    },
  })
  for (const slug of plan.before) await world.connect(slug)
  world.integrations.bus.subscribe((event) => {
    if (event.type !== 'connections-changed') return
    const { toolkit, status } = event.connection
    if (toolkit === target && status === 'active') requestsAtPublish = world.sent.length
  })
  const { id } = await world.threads.create()
  const session = await world.threads.open(id)
  const ends = [await session.send('Create a page titled Tea.')]
  if (moment === 'between') {
    const striking = strike()
    if (striking) await striking
    ends.push(await session.send('Go on.'))
  }
  await connecting
  if (!apps.done.some((done) => done.startsWith(`${target}:`))) ends.push(await session.send('And now?'))
  await world.threads.stop()

  if (ends.some(({ type }) => type !== 'done')) return `a turn ended ${ends.map(({ type }) => type).join()}`
  if (plan.isAwaited && ends.length > (moment === 'between' ? 2 : 1))
    return 'it was not used in the same turn'
  if (apps.done.filter((done) => done.startsWith(`${target}:`)).length !== 1)
    return `done: ${apps.done.join()}`
  if (requestsAtPublish === undefined) return 'the connection was not announced'
  for (const [n, { notices }] of world.sent.entries()) {
    const announced = notices.filter(comes(target)).length
    if (announced !== (n < requestsAtPublish ? 0 : 1))
      return `request ${n} says it ${announced} times, connected before request ${requestsAtPublish}`
  }
  const changed = findChange(world.sent)
  if (changed !== undefined) return `${changed} changed`
  const broken = world.events.find(({ type }) => type === 'prefix-break')
  return broken && JSON.stringify(broken)
}

const delegate = (toolkit: string) => calls(DELEGATE, { toolkit, prompt: 'Create a page titled Tea.' })

const replyToChild = ({ messages }: ModelRequest): ScriptedReply =>
  messages.at(-1)!.role === 'tool' ? says('Created.') : calls('create_page', { title: 'Tea' })
