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
import { callsOf } from '../../turn/message/message.ts'
import type { Threads } from '../threads/threads.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1'
/** More operations than any scenario needs. */
const MOST_OPERATIONS = 500

/** A model whose reply depends only on the number of earlier replies, so the same request gets the same reply. */
const scenarioModel = () =>
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

/** A turn with a write, a call that needs approval, a sub-agent that writes and a steering message. */
function createScenario(store: Store) {
  /** The failures, and who received each of them. */
  const problems: {
    readonly to: 'turn' | 'steer' | 'answer' | 'onProblem'
    readonly error: unknown
  }[] = []
  /** Idempotency keys of the calls that ran. */
  const effects: string[] = []
  const events: TurnEvent[] = []
  /** The number of pending steers and answers. */
  let open = 0
  const keep = (to: 'steer' | 'answer', work: Promise<unknown>) => {
    open++
    void work.catch((error: unknown) => void problems.push({ to, error })).finally(() => open--)
  }
  const start = (on: Store): Threads => {
    const threads = createThreads({
      store: on,
      onProblem: (error) => void problems.push({ to: 'onProblem', error }),
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
        model: scenarioModel(),
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
  /** Sends the message like a client that repeats it until it has the outcome. */
  const send = async (threads: Threads) => {
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
    send,
    get open() {
      return open
    },
  }
}

/** Delays every operation, as a network does. */
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
  const scenario = createScenario(isSlow ? slowly(faulty) : faulty)
  const { threads, problems, effects } = scenario
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  try {
    const where = `${point} ${at}`
    // With a fault the turn may never settle for its sender; then the answer to the approval failed.
    const sending = { isOver: false }
    void scenario
      .send(threads)
      .catch((error: unknown) => void problems.push({ to: 'turn', error }))
      .finally(() => (sending.isOver = true))
    while (!sending.isOver && faults.struck.length === 0) await nextTask()
    // Wait for everything that the fault causes.
    await settle()
    await threads.idle()
    const hasStruck = faults.struck.length > 0
    plan.length = 0
    checkReports(problems, { where, hasStruck, isWrite: point !== 'store.read' })
    const reported = problems.length

    // Requests to a killed process never settle.
    const abandoned = isFresh ? scenario.open : 0
    const next = isFresh ? scenario.start(inner) : threads
    await next.resume()
    for (const { id } of await next.pendingApprovals()) await next.answer(id, 'allow-once')
    const outcome = await scenario.send(next)
    await next.idle()
    await settle()
    expect(scenario.open - abandoned, where).toBeLessThanOrEqual(0)
    expect(outcome.type, where).toBe('done')
    expect(await checkInvariants(inner, [THREAD as ThreadId]), where).toEqual([])
    expect(new Set(effects).size, where).toBe(effects.length)
    expect(unhandled, where).toEqual([])
    expect(problems.length, where).toBe(reported)
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
 * Each failure is reported once: to the sender of the message, of the steer or of the answer. Only when no caller awaits
 * the turn does `onProblem` get it.
 */
function checkReports(
  problems: readonly { readonly to: string; readonly error: unknown }[],
  { where, hasStruck, isWrite }: { where: string; hasStruck: boolean; isWrite: boolean },
): void {
  for (const { error } of problems) expect(toStoreError(error), where).toBeInstanceOf(StoreError)
  const reportedTo = problems.map(({ to }) => (to === 'onProblem' ? 'turn' : to))
  expect(new Set(reportedTo).size, `${where} was reported to ${reportedTo.join(' and ')}`).toBe(
    reportedTo.length,
  )
  if (!hasStruck) expect(reportedTo, where).toEqual([])
  // Some reads are optional.
  else if (isWrite) expect(reportedTo.length, `${where} was not reported`).toBeGreaterThan(0)
}

/** A failure may be wrapped; its innermost cause is the store's error. */
function toStoreError(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? toStoreError(error.cause) : error
}

describe('a store that fails at its n-th operation', () => {
  const points = ['store.commit', 'store.sync', 'store.read'] as const
  const ways: readonly (readonly [string, Way])[] = [
    ['the same process', { isFresh: false, isSlow: false }],
    ['a new process', { isFresh: true, isSlow: false }],
    ['the same process on a slow store', { isFresh: false, isSlow: true }],
    ['a new process on a slow store', { isFresh: true, isSlow: true }],
  ]
  const cases = points.flatMap((point) => ways.map(([who, way]) => [point, who, way] as const))
  it.each(cases)(
    'of %s reports the failure once, and %s finishes the turn',
    { timeout: 60_000 },
    async (point, _, way) => {
      let at = 1
      while (at < MOST_OPERATIONS && (await checkAfterFailure(point, at, way))) at++
      // The loop ended because a run met no fault, after some runs had met one.
      expect(at).toBeLessThan(MOST_OPERATIONS)
      expect(at).toBeGreaterThan(5)
    },
  )
})
