import { createLocalConnector } from '@capstan/connectors'
import { calls, callsMany, fails, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { Step } from '@capstan/harness/testing'
import type { RunId, SnapshotStep, TurnSnapshot } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { StartedServer } from '../client.fixture.ts'
import { connect, createFolder, start } from '../client.fixture.ts'
import type { Client } from '../create-client.ts'
import { foldEvents } from './fold-events.ts'
import type { Call, Run, Turn } from './thread-view.ts'
import { EMPTY_THREAD, isAsking, rootOf } from './thread-view.ts'
import { statusOf } from './turn-view.ts'

/** What a screen shows of a turn that it folded from events, in the form of a snapshot. */
function shownBy(turn: Turn): TurnSnapshot {
  const root = rootOf(turn)
  const { outcome } = root
  const failure = outcome?.type === 'failed' || outcome?.type === 'halted' ? outcome.failure : undefined
  return {
    status: outcome?.type ?? (statusOf(turn) === 'waiting' ? 'waiting' : 'running'),
    iterations: outcome?.iterations ?? root.iterations.length,
    steps: stepsOf(turn, root),
    ...(failure && { failure }),
    usage: outcome?.usage ?? root.usage ?? NO_USAGE,
  }
}

const stepsOf = (turn: Turn, run: Run): readonly SnapshotStep[] =>
  run.iterations
    .flatMap(({ items }) => items)
    .filter((item): item is Call => item.type === 'call')
    .flatMap((call) => [
      toStep(call, run),
      ...call.children.flatMap((id) => stepsOf(turn, turn.runs.get(id)!)),
    ])

function toStep(call: Call, { id: runId, depth }: Run): SnapshotStep {
  const { callId, tool, label, detail, status, startedAt: at, durationMs, failure } = call
  return {
    runId,
    callId,
    depth,
    tool,
    label,
    ...(detail !== undefined && { detail }),
    status: isAsking(call) ? 'waiting' : (status as SnapshotStep['status']),
    at,
    ...(durationMs !== undefined && { durationMs }),
    ...(failure && { failure }),
  }
}

const write = { effect: 'write' as const }
const TOOLS = [
  stubTool('look'),
  stubTool('break', () => {
    throw new Error('404 Not Found: there is no such page')
  }),
  stubTool('order', () => 'ordered', write),
  stubTool(
    'hang',
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    write,
  ),
]
const BUYER = {
  id: 'buyer',
  description: 'Buys.',
  instructions: 'You buy.',
  tools: ['look', 'order', 'break'],
}

const SHOP = { slug: 'shop', name: 'Shop', description: 'A shop.', auth: 'key' as const, actions: [] }

interface World {
  readonly server: StartedServer
  readonly client: Client
  readonly threadId: string
  send(text: string): Promise<RunId>
  /** The turn as folded, once it has come to where it `isSo`. */
  readonly fold: (runId: RunId, isSo?: (turn: Turn) => boolean) => Promise<Turn>
}

async function open(
  steps: readonly Step[],
  mode: 'supervised' | 'full' = 'full',
  folder?: string,
): Promise<World> {
  const server = await start({
    model: new ScriptedModel(...steps),
    tools: TOOLS,
    agents: [BUYER],
    connectors: (vault) => [createLocalConnector({ vault, toolkits: [SHOP] })],
    mode,
    ...(folder && { folder }),
  })
  const client = connect(server.url, server.token)
  const { id: threadId } = (await client.api.threads()).threads[0] ?? (await client.api.createThread())
  let sent = 0
  const read = async (runId: RunId): Promise<Turn> => {
    const { events } = await client.api.events(threadId, { limit: 1000 })
    return foldEvents(EMPTY_THREAD, events).turns.find((turn) => turn.runId === runId)!
  }
  return {
    server,
    client,
    threadId,
    async send(text) {
      return (await client.api.sendMessage(threadId, { text, messageId: `m${++sent}` })).runId as RunId
    },
    async fold(runId, isSo = (turn) => statusOf(turn) === 'ended') {
      let turn: Turn | undefined
      await expect
        .poll(async () => isSo((turn = await read(runId))), { timeout: 15_000, interval: 20 })
        .toBe(true)
      return turn!
    },
  }
}

/** The last event of a turn that waits may be stored between the two reads. */
const expectSame = ({ client, fold }: World, { runId }: Turn): Promise<TurnSnapshot> =>
  vi.waitFor(async () => {
    const { snapshot } = await client.api.run(runId)
    expect(snapshot).toEqual(shownBy(await fold(runId, () => true)))
    return snapshot!
  })

const isWaiting = (turn: Turn): boolean => statusOf(turn) === 'waiting' && turn.waitsFor.length > 0
const isHanging = (turn: Turn): boolean =>
  stepsOf(turn, rootOf(turn)).some(({ tool, status }) => tool === 'hang' && status === 'running')

async function answer({ client }: World, decision: 'allow-once' | 'deny'): Promise<void> {
  const { approvals } = await client.api.approvals()
  await client.api.answerApproval(approvals[0]!.id, decision)
}

describe('the snapshot of a turn and the fold of its events show the same', { timeout: 60_000 }, () => {
  it('after failures of calls and of the model', async () => {
    const world = await open([
      callsMany([{ tool: 'look' }, { tool: 'break' }, { tool: 'nothing_like_it' }]),
      says('So it is.'),
      fails(401),
    ])
    const first = await expectSame(world, await world.fold(await world.send('Look.')))
    expect(first.steps.map(({ status }) => status)).toEqual(['ok', 'failed', 'failed'])
    const second = await expectSame(world, await world.fold(await world.send('Again.')))
    expect(second).toMatchObject({ status: 'failed', failure: { class: 'bad_credentials' } })
  })

  it('while a person is asked, after a yes and after a no', async () => {
    const world = await open(
      [calls('order'), says('Done.'), calls('order', { n: 2 }), says('Fine.')],
      'supervised',
    )
    for (const decision of ['allow-once', 'deny'] as const) {
      const runId = await world.send('Order.')
      const waiting = await expectSame(world, await world.fold(runId, isWaiting))
      expect(waiting).toMatchObject({ status: 'waiting', steps: [{ status: 'waiting' }] })
      await answer(world, decision)
      const ended = await expectSame(world, await world.fold(runId))
      expect(ended.steps.map(({ status }) => status)).toEqual([decision === 'allow-once' ? 'ok' : 'failed'])
    }
  })

  it('with a sub-agent that fails, asks and goes on', async () => {
    const world = await open(
      [
        calls('delegate_to_buyer', { prompt: 'Order one.' }),
        calls('break'),
        calls('order'),
        says('Ordered.'),
        says('Done.'),
      ],
      'supervised',
    )
    const runId = await world.send('Order.')
    const waiting = await expectSame(world, await world.fold(runId, isWaiting))
    expect(waiting.steps.map(({ depth }) => depth)).toEqual([0, 1, 1])
    await answer(world, 'allow-once')
    await expectSame(world, await world.fold(runId))
  })

  it('after a stop while a sub-agent asks', async () => {
    const world = await open(
      [calls('delegate_to_buyer', { prompt: 'Order one.' }), calls('order')],
      'supervised',
    )
    const runId = await world.send('Order.')
    await world.fold(runId, isWaiting)
    await world.client.api.stopTurn(world.threadId)
    const ended = await expectSame(world, await world.fold(runId))
    expect(ended.status).toBe('aborted')
  })

  it('while a call waits for a sign-in', async () => {
    const world = await open([calls('connect_app', { toolkit: 'shop' }), says('Connected.')], 'supervised')
    const runId = await world.send('Connect the shop.')
    const turn = await world.fold(runId, isWaiting)
    const waiting = await expectSame(world, turn)
    expect(waiting).toMatchObject({ status: 'waiting', steps: [{ tool: 'connect_app', status: 'waiting' }] })
    await world.client.api.giveKey(turn.waitsFor[0]!.id, 'a-key')
    await expectSame(world, await world.fold(runId))
  })

  it('after a stop in the middle of a write', async () => {
    const world = await open([calls('hang')])
    const runId = await world.send('Hang.')
    await expectSame(world, await world.fold(runId, isHanging))
    await world.client.api.stopTurn(world.threadId)
    const ended = await expectSame(world, await world.fold(runId))
    expect(ended).toMatchObject({ status: 'aborted', steps: [{ failure: { class: 'interrupted' } }] })
  })

  it('after a guard halted it', async () => {
    const world = await open([...Array.from({ length: 12 }, () => calls('break')), says('I stop.')])
    const ended = await expectSame(world, await world.fold(await world.send('Try.')))
    expect(ended.status).toBe('halted')
  })

  it('after a restart in the middle of a write', async () => {
    const folder = await createFolder()
    const before = await open([callsMany([{ tool: 'look' }, { tool: 'hang' }])], 'full', folder)
    const runId = await before.send('Hang.')
    await before.fold(runId, isHanging)
    await before.server.stop({ graceMs: 0 })
    const after = await open([says('I do not know.')], 'full', folder)
    const ended = await expectSame(after, await after.fold(runId))
    expect(ended.steps.map(({ status }) => status)).toEqual(['ok', 'failed'])
  })
})
