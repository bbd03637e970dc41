import { describe, expect, it } from 'vitest'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import type { ModelPart } from '../../models/model-client.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import type { Fault, FaultPoint } from '../../testing/faults.ts'
import { createFaults, faultyStore } from '../../testing/faults.ts'
import { finish, handMadeModel, text } from '../../testing/hand-made-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { StoreError } from '../../turn/errors.ts'
import { callsOf } from '../../turn/message.ts'
import type { Threads } from '../threads/threads.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1'
/** More than any story needs. */
const MOST_OPERATIONS = 500

/** The replies of a conversation, told from how many there were: asked the same twice, it says the same. */
const storyModel = () =>
  handMadeModel(async function* ({ system, messages }) {
    const script = system.includes('a helper') ? ['save'] : ['save', 'send', 'delegate_to_helper']
    const done = messages.filter((message) => message.role === 'assistant' && callsOf(message).length > 0)
    const tool = script[done.length]
    yield text(`${done.length} done. `)
    if (tool === undefined) return yield finish
    const id = `call_${done.length + 1}`
    const args = tool === 'delegate_to_helper' ? { prompt: 'save it' } : { n: done.length }
    yield { type: 'call', id, tool, argumentsText: JSON.stringify(args) }
    yield { ...finish, reason: 'tool-calls' } as ModelPart
  })

/** A turn with a write, a call that asks, a sub-agent that writes, and a word on the way; and what came of it. */
function createStory(store: Store) {
  /** Who was told of a failure, and of which. */
  const problems: {
    readonly to: 'turn' | 'steer' | 'answer' | 'nobody in particular'
    readonly error: unknown
  }[] = []
  /** Idempotency keys of what was really done. */
  const effects: string[] = []
  const events: TurnEvent[] = []
  /** What was asked for on the way and has not been answered. */
  let open = 0
  const keep = (to: 'steer' | 'answer', work: Promise<unknown>) => {
    open++
    void work.catch((error: unknown) => void problems.push({ to, error })).finally(() => open--)
  }
  const start = (on: Store): Threads => {
    const threads = createThreads({
      store: on,
      onProblem: (error) => void problems.push({ to: 'nobody in particular', error }),
      onEvent(event) {
        events.push(event)
        if (event.type === 'approval-request') keep('answer', threads.answer(event.approvalId, 'allow-once'))
        if (event.type === 'tool-start' && event.tool === 'save' && events.length < 20) {
          const steering = threads
            .open(THREAD)
            .then((session) => session.steer('And be quick.', { messageId: 'steer_1' }))
          keep('steer', steering)
        }
      },
      agent: {
        model: storyModel(),
        origin: 'web',
        instructions: 'You lead.',
        safety: { mode: 'full', rules: [{ tool: 'send', decision: 'ask' }] },
        agents: [{ id: 'helper', description: 'helps', instructions: 'You are a helper.' }],
        tools: ['save', 'send'].map((name) =>
          stubTool(name, (_, { idempotencyKey }) => void effects.push(idempotencyKey), { effect: 'write' }),
        ),
      },
    })
    return threads
  }
  /** Asks as a client does that repeats itself until it knows. */
  const tell = async (threads: Threads) => {
    await threads.create({ id: THREAD })
    const session = await threads.open(THREAD)
    const { outcome } = await session.submit('Save it, send it.', { messageId: 'm1' })
    return outcome
  }
  return {
    threads: start(store),
    start,
    problems,
    effects,
    tell,
    get open() {
      return open
    },
  }
}

/** Every operation takes a moment, as it does over a wire. */
const slowly = (store: Store): Store =>
  faultyStore(
    store,
    createFaults([{ point: 'any', at: 1, times: Infinity, action: 'delay', delay: Promise.resolve() }]),
  )

interface Way {
  readonly isFresh: boolean
  readonly isSlow: boolean
}

async function checkAfterFailure(point: FaultPoint, at: number, { isFresh, isSlow }: Way): Promise<boolean> {
  const inner = createMemoryStore()
  const plan: Fault[] = [{ point, at, action: 'fail' }]
  const faults = createFaults(plan)
  const faulty = faultyStore(inner, faults)
  const story = createStory(isSlow ? slowly(faulty) : faulty)
  const { threads, problems, effects } = story
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  try {
    const where = `${point} ${at}`
    // With a fault, the turn may never settle for whoever sent it: then it is the answer that failed.
    const telling = { isOver: false }
    void story
      .tell(threads)
      .catch((error: unknown) => void problems.push({ to: 'turn', error }))
      .finally(() => (telling.isOver = true))
    while (!telling.isOver && faults.struck.length === 0) await nextTask()
    // Everything that follows from it has happened by then.
    await settle()
    await threads.idle()
    const hasStruck = faults.struck.length > 0
    plan.length = 0
    checkTold(problems, { where, hasStruck, isWrite: point !== 'store.read' })
    const told = problems.length

    // Whoever asked a process that is gone has nobody to wait for.
    const abandoned = isFresh ? story.open : 0
    const next = isFresh ? story.start(inner) : threads
    await next.resume()
    for (const { id } of await next.pendingApprovals()) await next.answer(id, 'allow-once')
    const outcome = await story.tell(next)
    await next.idle()
    await settle()
    expect(story.open - abandoned, where).toBeLessThanOrEqual(0)
    expect(outcome.type, where).toBe('done')
    expect(await checkInvariants(inner, [THREAD as ThreadId]), where).toEqual([])
    expect(new Set(effects).size, where).toBe(effects.length)
    expect(unhandled, where).toEqual([])
    expect(problems.length, where).toBe(told)
    return hasStruck
  } finally {
    process.off('unhandledRejection', onUnhandled)
  }
}

const nextTask = () => new Promise<void>((resolve) => void setImmediate(resolve))

async function settle(): Promise<void> {
  for (let n = 0; n < 20; n++) await nextTask()
}

/**
 * Whoever asked for what failed hears of it once: the sender of the message, of a word on the way, of an answer. When
 * nobody waits for the turn, the listener for problems does, and only then.
 */
function checkTold(
  problems: readonly { readonly to: string; readonly error: unknown }[],
  { where, hasStruck, isWrite }: { where: string; hasStruck: boolean; isWrite: boolean },
): void {
  for (const { error } of problems) expect(toStoreError(error), where).toBeInstanceOf(StoreError)
  const told = problems.map(({ to }) => (to === 'nobody in particular' ? 'turn' : to))
  expect(new Set(told).size, `${where} was told to ${told.join(' and ')}`).toBe(told.length)
  if (!hasStruck) expect(told, where).toEqual([])
  // A read may be one that can be done without.
  else if (isWrite) expect(told.length, `${where} was told to nobody`).toBeGreaterThan(0)
}

/** A failure may be wrapped on its way up; what it was is at the bottom. */
function toStoreError(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? toStoreError(error.cause) : error
}

describe('a store that fails at its n-th operation', () => {
  const points = ['store.commit', 'store.sync', 'store.read'] as const
  const ways: readonly (readonly [string, Way])[] = [
    ['the same process', { isFresh: false, isSlow: false }],
    ['a fresh one', { isFresh: true, isSlow: false }],
    ['the same process on a slow store', { isFresh: false, isSlow: true }],
    ['a fresh one on a slow store', { isFresh: true, isSlow: true }],
  ]
  const cases = points.flatMap((point) => ways.map(([who, way]) => [point, who, way] as const))
  it.each(cases)('%s: is told once, and %s finishes the turn', { timeout: 60_000 }, async (point, _, way) => {
    let at = 1
    while (at < MOST_OPERATIONS && (await checkAfterFailure(point, at, way))) at++
    // It ended because a run met no fault, and not before it had met some.
    expect(at).toBeLessThan(MOST_OPERATIONS)
    expect(at).toBeGreaterThan(5)
  })
})
