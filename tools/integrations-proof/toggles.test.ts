import { setImmediate, setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { EventBus, ToolkitMode } from '@capstan/harness/integrations'
import type { ModelRequest } from '@capstan/harness/models'
import { defineTool } from '@capstan/harness'
import { createMemoryEventBus } from '@capstan/harness/integrations'
import { calls, says } from '@capstan/harness/testing'
import { createRandom } from '../crash-test/random.ts'
import { createInProcessApps } from './in-process-apps.fixture.ts'
import type { Sent } from './world.fixture.ts'
import { comes, createWorld, enumIn, goes, VISITOR } from './world.fixture.ts'

const SEED = Number(process.env['PROOF_SEED'] ?? 5)
const TOGGLES = 1_000
const THREADS = 3
const STEPS_PER_TURN = 8
const SLUGS = ['notes', 'mail', 'maps', 'books', 'photos']
const FINALLY_ON = ['maps', 'notes', 'photos']

describe(`${TOGGLES} connects and disconnects while turns run`, () => {
  it.each(['constant', 'live-enum'] as const)(
    'end in the correct state, each real change announced once, with nothing left over (%s)',
    { timeout: 60_000 },
    async (mode) => {
      await toggleAlong('constant', 20) // what is loaded at first is no leak
      const before = handles()
      const storm = await toggleAlong(mode, TOGGLES)

      // The threads and the directory listen.
      expect(storm.listeners).toEqual({ running: 1, after: 0 })
      expect(await grownSince(before)).toEqual([])
      expect(storm.truth).toEqual(FINALLY_ON)

      expect(storm.threads).toHaveLength(THREADS)
      for (const requests of storm.threads) {
        expect(requests.length).toBeGreaterThan(50)
        expect(new Set(requests.map(({ sent }) => sent.system)).size).toBe(1)
        expect(findFault(requests, mode)).toBeUndefined()
        expect([...announcedTo(requests)].toSorted()).toEqual(storm.truth)
        if (mode === 'live-enum') expect(enumIn(requests.at(-1)!.sent)).toEqual(storm.truth)
        else expect(new Set(requests.map(({ sent }) => sent.tools)).size).toBe(1)
      }
      // Much was really seen to change: no run that was over before it began.
      const announced = storm.threads.map((requests) => requests.at(-1)!.sent.notices.length)
      for (const count of announced) expect(count).toBeGreaterThan(50)
    },
  )

  it('announce nothing when nothing changed between two model calls', async () => {
    const apps = createInProcessApps({ slugs: SLUGS })
    const lookUp = toLookUp(async (n) => {
      if (n === 1) {
        await world.connect('mail')
        await world.disconnect('mail')
      }
      if (n === 2) {
        await world.disconnect('notes')
        await world.connect('notes') // another connection, and the same app
      }
    })
    const world = createWorld({ apps, tools: [lookUp], reply: toReply })
    await world.connect('notes')
    const { id } = await world.threads.create()
    await (await world.threads.open(id)).send('Thread 0')
    expect(world.sent).toHaveLength(STEPS_PER_TURN + 1)
    expect(world.sent.at(-1)!.notices).toEqual([])
  })
})

/** A request, and which apps were connected when it was sent. */
interface Request {
  readonly sent: Sent
  readonly connected: readonly string[]
}

async function toggleAlong(mode: ToolkitMode, toggles: number) {
  const random = createRandom(SEED, mode, toggles)
  const { bus, listeners } = countListeners()
  const requests = new Map<string, Request[]>()
  const apps = createInProcessApps({
    slugs: SLUGS,
    pause: () => (random.chance(0.3) ? setImmediate() : undefined),
  })
  const world = createWorld({
    apps,
    bus,
    mode,
    maxRequests: 20_000,
    tools: [toLookUp(() => rest(random.int(1, 6)))],
    reply: toReply,
    onSent(sent) {
      const [first = ''] = sent.messages
      const thread = requests.get(first) ?? []
      requests.set(first, [...thread, { sent, connected: connectedNow() }])
    },
  })
  const { directory, connections } = world.integrations
  const connectedNow = () =>
    (directory.last(VISITOR.userId)?.toolkits ?? [])
      .filter((toolkit) => toolkit.connections.length > 0)
      .map(({ slug }) => slug)
      .toSorted()

  const state = { isOver: false }
  const talk = async (n: number) => {
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    const ends: string[] = []
    for (let turn = 0; !state.isOver; turn++)
      ends.push((await session.send(turn === 0 ? `Thread ${n}` : 'Go on.')).type)
    // One more turn when nothing changes any more, to see the final state.
    await storm
    ends.push((await session.send('And now?')).type)
    return ends
  }
  // Each app is switched by somebody of its own, all at the same time.
  const toggle = async (slug: string) => {
    for (let n = 0, isOn = false; n < toggles / SLUGS.length; n++, isOn = !isOn) {
      await (isOn ? world.disconnect(slug) : world.connect(slug))
      await rest(random.int(0, 3))
    }
    // Not all end as they began.
    if (FINALLY_ON.includes(slug)) await world.connect(slug)
  }
  const storm = Promise.all(SLUGS.map(toggle)).then(() => void (state.isOver = true))
  const talks = Array.from({ length: THREADS }, (_, n) => talk(n))
  await storm
  const running = listeners()
  for (const ends of await Promise.all(talks)) expect(new Set(ends)).toEqual(new Set(['done']))
  const truth = (await connections.list(VISITOR.userId)).map(({ toolkit }) => toolkit).toSorted()
  await world.threads.stop()
  await world.integrations.close()
  return { threads: [...requests.values()], truth, listeners: { running, after: listeners() } }
}

async function rest(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await setImmediate()
}

/** Looks up one thing after another, then answers. */
function toReply({ messages }: ModelRequest) {
  const turn = messages.findLastIndex(({ role }) => role === 'user')
  const step = messages.slice(turn).filter(({ role }) => role === 'tool').length
  // Never the same twice, so that no guard has a reason to step in.
  return step < STEPS_PER_TURN ? calls('look_up', { n: step + 1, of: turn }) : says(`Done, ${turn}.`)
}

const toLookUp = (during: (n: number) => Promise<unknown>) =>
  defineTool({
    name: 'look_up',
    description: 'Looks something up.',
    input: { type: 'object', properties: { n: { type: 'number' }, of: { type: 'number' } } },
    effect: 'read',
    async run({ n, of }) {
      await during(Number(n))
      return `entry ${Number(n)} of ${Number(of)}`
    },
  })

/** The apps a conversation knows: those in its prompt, changed by its notices. */
function announcedTo(requests: readonly Request[]): ReadonlySet<string> {
  const { system, notices } = requests.at(-1)!.sent
  const announced = new Set(SLUGS.filter((slug) => system.includes(`- ${slug}: `)))
  for (const notice of notices) tell(announced, notice)
  return announced
}

/** False when the notice says what was known. */
function tell(announced: Set<string>, notice: string): boolean {
  const come = SLUGS.find((slug) => comes(slug)(notice))
  if (come !== undefined) {
    const isNew = !announced.has(come)
    announced.add(come)
    return isNew
  }
  const gone = SLUGS.find((slug) => goes(slug)(notice))
  return gone !== undefined && announced.delete(gone)
}

/** The first thing that is not as it should be, or nothing. */
function findFault(requests: readonly Request[], mode: ToolkitMode): string | undefined {
  const announced = new Set(SLUGS.filter((slug) => requests[0]!.sent.system.includes(`- ${slug}: `)))
  let before: Sent | undefined
  for (const [n, { sent, connected }] of requests.entries()) {
    const known = before?.messages ?? []
    if (known.some((message, index) => message !== sent.messages[index]))
      return `request ${n} rewrote the past`
    const fresh = sent.notices.slice(before?.notices.length ?? 0)
    for (const notice of fresh) if (!tell(announced, notice)) return `request ${n} says again: ${notice}`
    if (fresh.length > SLUGS.length) return `request ${n} says ${fresh.length} things at once`
    const now = [...announced].toSorted()
    if (now.join() !== connected.join()) return `request ${n} knows ${now.join()} and not ${connected.join()}`
    if (mode === 'live-enum' && enumIn(sent).join() !== now.join())
      return `request ${n} offers ${enumIn(sent).join()}`
    before = sent
  }
  return undefined
}

function countListeners(): { readonly bus: EventBus; readonly listeners: () => number } {
  const inner = createMemoryEventBus()
  let count = 0
  return {
    bus: {
      publish: (event) => inner.publish(event),
      subscribe(listener) {
        count++
        const stop = inner.subscribe(listener)
        return () => {
          count--
          stop()
        }
      },
    },
    listeners: () => count,
  }
}

/** Kinds of handles of which there are more now, after a while in which those that close could. */
async function grownSince(before: Readonly<Record<string, number>>): Promise<readonly string[]> {
  let grown: readonly string[] = []
  for (let wait = 0; wait < 100; wait++) {
    grown = Object.entries(handles()).flatMap(([type, count]) => (count > (before[type] ?? 0) ? [type] : []))
    if (grown.length === 0) break
    await setTimeout(20)
  }
  return grown
}

function handles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const type of process.getActiveResourcesInfo()) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
