import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { checkInvariants, stubTool } from '../../testing/index.ts'
import type { Threads } from '../threads/threads.ts'
import { createThreads } from '../threads/threads.ts'
import { agent } from './delegation.fixture.ts'
import { killAfterCommit } from './killable-store.fixture.ts'
import type { TeamReply, TeamTurn } from './team-model.fixture.ts'
import { gate, spawn, teamModel } from './team-model.fixture.ts'

const THREAD = 'thread_1' as ThreadId
/** The writes that the agents make come from the user, so the data-flow rule asks about none of them. */
const ASKED = 'Send and save to a, b, c and e.'
/** More commits than the turn makes. */
const MOST_COMMITS = 200
/** A busy machine is slow, and not wrong. */
const TIMEOUT_MS = 120_000

/** Starts three writing agents, tells one more, starts a fourth when one has reported, and waits for all. */
function lead({ n, reports }: TeamTurn): TeamReply {
  if (n === 0) return { calls: ['a', 'b', 'c'].map((task) => spawn('worker', task)) }
  if (n === 1)
    return { calls: [['steer_agent', { agent: 'worker_1', message: 'Be quick.' }], ['wait_agent']] }
  if (n === 2) return { calls: [spawn('boss', 'd')] }
  return { text: `${reports.length} reports.` }
}

/** Saves twice: the first is asked about, the second is not. */
function worker({ n, task }: TeamTurn): TeamReply {
  const [, name] = /(\w)$/.exec(task)!
  if (n === 0) return { calls: [['send', { to: name }]] }
  if (n === 1) return { calls: [['save', { to: name }]] }
  return { text: `${name} is done.` }
}

const boss = ({ n, reports }: TeamTurn): TeamReply =>
  n === 0 ? { calls: [spawn('worker', 'e')] } : { text: reports.join() || 'Waiting.' }

function openThreads(store: Store, effects: string[], onEvent: (event: TurnEvent, threads: Threads) => void) {
  const { model } = teamModel({ lead, worker, boss })
  const write = (name: string) =>
    stubTool(name, ({ to }: { to: string }) => void effects.push(`${name} ${to}`), {
      effect: 'write',
      destinations: [],
    })
  const threads: Threads = createThreads({
    store,
    agent: {
      model,
      instructions: 'You lead.',
      origin: 'web',
      tools: [write('send'), write('save')],
      agents: [agent('worker'), agent('boss', { agents: [agent('worker')] })],
      safety: { mode: 'full', rules: [{ tool: 'send', decision: 'ask' }] },
    },
    onEvent: (event) => onEvent(event, threads),
    onProblem: (error) => expect.unreachable(String(error)),
  })
  return threads
}

function answerSoon(event: TurnEvent, threads: Threads): void {
  if (event.type === 'approval-request')
    setImmediate(() => void threads.answer(event.approvalId, 'allow-once').catch(() => {}))
}

/** What a finished thread must look like, however often its process was killed. */
async function expectComplete(store: Store, name: string): Promise<void> {
  const records = await store.ledger.read(THREAD)
  const started = records.flatMap((record) =>
    record.type === 'run-start' && record.run.isSpawned ? [record.run.runId] : [],
  )
  const reported = records.flatMap((record) =>
    record.type === 'message' && record.message.role === 'notice' && record.message.report
      ? [record.message.report.runId]
      : [],
  )
  expect(reported.toSorted(), name).toEqual(started.toSorted())
  const [run] = await store.runs.list({ userId: 'local', depth: 0 })
  expect(run, name).toMatchObject({ status: 'done', outcome: { text: '4 reports.' } })
  const tree = await store.runs.tree(run!.id)
  expect(
    tree.map(({ status }) => status),
    name,
  ).toEqual(Array.from({ length: 6 }, () => 'done'))
  const approvals = await store.approvals.ofRuns(tree.map(({ id }) => id))
  expect(
    approvals.map(({ decision }) => decision),
    name,
  ).toEqual(Array.from({ length: 4 }, () => 'allow-once'))
  expect(await checkInvariants(store, [THREAD]), name).toEqual([])
}

describe('sub-agents that work beside a stored turn', () => {
  // Each of these kills the process at every fourth commit.
  it.each([1, 2, 3, 4])(
    'report once each and do their work once, killed after commit %i and so on',
    async (from) => {
      for (let n = from; n <= MOST_COMMITS; n += 4) {
        const inner = createMemoryStore()
        const effects: string[] = []
        const first = killAfterCommit(inner, n)
        const threads = openThreads(first.store, effects, (event, own) => {
          if (!first.isKilled) answerSoon(event, own)
        })
        await threads.create({ id: THREAD })
        const session = await threads.open(THREAD)
        await Promise.race([session.send(ASKED), first.killed])
        if (first.isKilled) {
          const second = openThreads(inner, effects, answerSoon)
          await second.resume()
          for (const { id } of await second.pendingApprovals()) await second.answer(id, 'allow-once')
          await untilDone(inner, second)
        }
        await expectComplete(inner, `killed after commit ${n}`)
        expect(new Set(effects).size, `killed after commit ${n}`).toBe(effects.length)
        if (!first.isKilled) return
      }
      expect.unreachable('the turn never ended')
    },
    TIMEOUT_MS,
  )

  it('go on one by one as their approvals are answered, while others still work', async () => {
    const mayEnd = gate()
    const order: string[] = []
    const { model } = teamModel({
      lead({ n, reports }) {
        if (n === 0) return { calls: [spawn('slow', 'x'), spawn('worker', 'a')] }
        order.push(`lead ${reports.length}`)
        if (reports.length === 1) mayEnd.resolve()
        return { text: `${reports.length} reports.` }
      },
      async slow() {
        await mayEnd.promise
        order.push('slow')
        return { text: 'slow' }
      },
      worker,
    })
    const store = createMemoryStore()
    const tools = ['send', 'save'].map((name) => stubTool(name, () => 'ok', { effect: 'write' }))
    const statuses: string[] = []
    const answer = async (id: string) => {
      const [run] = await store.runs.list({ userId: 'local', depth: 0 })
      statuses.push(run!.status)
      await threads.answer(id, 'allow-once')
    }
    const threads: Threads = createThreads({
      store,
      agent: {
        model,
        instructions: 'You lead.',
        origin: 'web',
        tools,
        agents: [agent('worker'), agent('slow')],
        safety: { mode: 'full', rules: [{ tool: 'send', decision: 'ask' }] },
      },
      async onEvent(event) {
        if (event.type === 'turn-park') order.push('park')
        if (event.type !== 'approval-request') return
        setImmediate(() => void answer(event.approvalId))
      },
    })
    await threads.create({ id: THREAD })
    const outcome = await (await threads.open(THREAD)).send(ASKED)
    expect(outcome).toMatchObject({ type: 'done', text: '2 reports.' })
    // The one that asked has reported before the slow one was allowed to end, and the turn was never parked.
    expect(order).toEqual(['lead 0', 'lead 1', 'slow', 'lead 2'])
    expect(statuses).toEqual(['running'])
  })

  it('go on after an answer that came while one below them was still at work', async () => {
    const mayEnd = gate()
    const { model } = teamModel({
      lead: ({ n, reports }) =>
        n === 0 ? { calls: [spawn('boss', 'x')] } : { text: reports.join() || 'Waiting.' },
      boss({ n, reports }) {
        if (n === 0) return { calls: [spawn('slow', 'y')] }
        if (n === 1) return { calls: [['send', { to: 'a' }]] }
        return { text: `The boss has ${reports.length} reports.` }
      },
      async slow() {
        await mayEnd.promise
        return { text: 'slow' }
      },
    })
    const store = createMemoryStore()
    const threads: Threads = createThreads({
      store,
      agent: {
        model,
        instructions: 'You lead.',
        origin: 'web',
        tools: [stubTool('send', () => 'sent', { effect: 'write' })],
        agents: [agent('boss', { agents: [agent('slow')] })],
      },
      onEvent(event) {
        if (event.type !== 'approval-request') return
        setImmediate(() => void threads.answer(event.approvalId, 'allow-once').then(() => mayEnd.resolve()))
      },
    })
    await threads.create({ id: THREAD })
    const { text } = await (await threads.open(THREAD)).send(ASKED)
    expect(text).toContain('The boss has 1 reports.')
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it('park the turn when all of them wait for a person, each question open at once', async () => {
    const store = createMemoryStore()
    const effects: string[] = []
    const parked = Promise.withResolvers<TurnEvent>()
    const first = openThreads(store, effects, (event) => {
      if (event.type === 'turn-park') parked.resolve(event)
    })
    await first.create({ id: THREAD })
    void (await first.open(THREAD)).submit(ASKED)
    const asked = await parked.promise
    await first.idle()
    const pending = await first.pendingApprovals()
    expect(pending).toHaveLength(3)
    expect(asked).toMatchObject({ waitsFor: pending.map(({ id }) => ({ kind: 'approval', id })) })
    expect(effects).toEqual([])
    // Another process; the last question is answered first.
    const second = openThreads(store, effects, answerSoon)
    expect(await second.resume()).toEqual({ running: 0, waiting: 1 })
    for (const { id } of pending.toReversed()) {
      await second.answer(id, 'allow-once')
      await second.idle()
    }
    await untilDone(store, second)
    await expectComplete(store, 'parked')
    expect(effects.toSorted()).toEqual(
      ['a', 'b', 'c', 'e'].flatMap((to) => [`save ${to}`, `send ${to}`]).toSorted(),
    )
  })

  it('end with the turn when a person gives it up, and their questions are withdrawn', async () => {
    const store = createMemoryStore()
    const parked = gate()
    const threads = openThreads(store, [], (event) => {
      if (event.type === 'turn-park') parked.resolve()
    })
    await threads.create({ id: THREAD })
    const session = await threads.open(THREAD)
    void session.submit(ASKED)
    await parked.promise
    await threads.idle()
    session.stop()
    await threads.idle()
    const [run] = await store.runs.list({ userId: 'local', depth: 0 })
    const tree = await store.runs.tree(run!.id)
    expect(tree.map(({ status }) => status)).toEqual(['aborted', 'aborted', 'aborted', 'aborted'])
    expect(await threads.pendingApprovals()).toEqual([])
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })
})

/** Settles when the turn has ended: each answer may park it again. */
async function untilDone(store: Store, threads: Threads): Promise<void> {
  while ((await store.runs.unfinished()).length > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    await threads.idle()
  }
}
