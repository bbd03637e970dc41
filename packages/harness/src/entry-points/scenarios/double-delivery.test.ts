import { describe, expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { finish, handMadeModel, text } from '../../testing/hand-made-model.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { killAfterCommit } from './killable-store.fixture.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1' as ThreadId

/** Calls `send` once per turn, then answers. */
const model = handMadeModel(async function* ({ messages }) {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
  if (since.some(({ role }) => role === 'tool')) yield text(`Sent, after ${messages.length} messages.`)
  else yield { type: 'call', id: `call_${messages.length}`, tool: 'send', argumentsText: '{}' }
  yield finish
})

/** Starts a process. */
function start(store: Store, sent: string[], mode: 'full' | 'supervised' = 'full') {
  const events = recordEvents()
  const send = stubTool('send', (_, { idempotencyKey }) => void sent.push(idempotencyKey), {
    effect: 'write',
  })
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    onProblem: (error) => expect.unreachable(String(error)),
    agent: { model, origin: 'web', tools: [send], safety: { mode } },
  })
  const open = async () => {
    await threads.create({ id: THREAD })
    return threads.open(THREAD)
  }
  return { threads, events, open }
}

const once = { messageId: 'message_1' }

async function expectOneTurn(store: Store, sent: readonly string[]): Promise<void> {
  expect(sent).toHaveLength(1)
  expect(await store.runs.list({ userId: 'local' })).toHaveLength(1)
  expect(await checkInvariants(store, [THREAD])).toEqual([])
}

describe('a message that is sent twice', () => {
  it('concurrently is one turn, and all senders get its outcome', async () => {
    const store = createMemoryStore()
    const sent: string[] = []
    const { open } = start(store, sent)
    const session = await open()
    const [first, second, third] = await Promise.all([
      session.send('Send it.', once),
      session.send('Send it.', once),
      session.submit('Send it.', once).then(({ outcome }) => outcome),
    ])
    expect(first.type).toBe('done')
    expect([second, third]).toEqual([first, first])
    await expectOneTurn(store, sent)
  })

  it('after other messages gets the outcome of the first one again', async () => {
    const store = createMemoryStore()
    const sent: string[] = []
    const { open } = start(store, sent)
    const session = await open()
    const first = await session.send('Send it.', once)
    expect(await session.send('Send it.', once)).toEqual(first)
    await expectOneTurn(store, sent)
    await session.send('And another.', { messageId: 'message_2' })
    expect(await session.send('Send it.', once)).toEqual(first)
    expect(sent).toHaveLength(2)
  })

  it.each([1, 2, 3, 4, 5])('after a kill at commit %d is one turn', async (n) => {
    const store = createMemoryStore()
    const sent: string[] = []
    const first = killAfterCommit(store, n)
    const session = await start(first.store, sent).open()
    void session.send('Send it.', once).catch(() => {})
    await first.killed
    const { threads, open } = start(store, sent)
    await threads.resume()
    const again = await open()
    const [second, third] = await Promise.all([again.send('Send it.', once), again.send('Send it.', once)])
    expect(third).toEqual(second)
    expect(second.type).toBe('done')
    expect(await store.runs.list({ userId: 'local' })).toHaveLength(1)
    // After a kill between intent and result it is unknown whether the call happened, but it never happens twice.
    expect(sent.length).toBeLessThanOrEqual(1)
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it('while its turn is parked, before and after a restart, is one turn', async () => {
    const store = createMemoryStore()
    const sent: string[] = []
    const before = start(store, sent, 'supervised')
    const session = await before.open()
    const asked = before.events.next('approval-request')
    const waits = [session.send('Send it.', once)]
    await asked
    waits.push(session.send('Send it.', once))
    await before.threads.idle()

    const { threads, open } = start(store, sent, 'supervised')
    expect(await threads.resume()).toEqual({ running: 0, waiting: 1 })
    const again = await open()
    const later = [
      again.send('Send it.', once),
      again.submit('Send it.', once).then(({ outcome }) => outcome),
    ]
    const [approval] = await threads.pendingApprovals()
    expect(await threads.answer(approval!.id, 'allow-once')).toBe('accepted')
    expect(await threads.answer(approval!.id, 'allow-once')).toBe('already-answered')
    const [third, fourth] = await Promise.all(later)
    expect(third).toMatchObject({ type: 'done' })
    expect(fourth).toEqual(third)
    await expectOneTurn(store, sent)
  })

  it('in two threads is two turns', async () => {
    const store = createMemoryStore()
    const sent: string[] = []
    const { threads, open } = start(store, sent)
    await (await open()).send('Send it.', once)
    const other = await threads.create()
    await (await threads.open(other.id)).send('Send it.', once)
    expect(sent).toHaveLength(2)
  })
})

describe('an approval', () => {
  it('that is answered twice concurrently runs the call once', async () => {
    const store = createMemoryStore()
    const sent: string[] = []
    const { threads, events, open } = start(store, sent, 'supervised')
    const session = await open()
    const asked = events.next('approval-request')
    const { outcome } = await session.submit('Send it.')
    const { approvalId } = await asked
    const receipts = await Promise.all([
      threads.answer(approvalId, 'allow-once'),
      threads.answer(approvalId, 'allow-once'),
    ])
    expect(receipts).toEqual(['accepted', 'already-answered'])
    expect(await outcome).toMatchObject({ type: 'done' })
    await expectOneTurn(store, sent)
  })

  it.each(['at once', 'while it is being parked'])('that is answered %s resumes its turn', async (when) => {
    const inner = createMemoryStore()
    const sent: string[] = []
    const announced = Promise.withResolvers<string>()
    let isHeld = false
    const get: Store['approvals']['get'] = (id) => {
      const asked = inner.approvals.get(id)
      if (when === 'at once' || isHeld) return asked
      isHeld = true
      // Returns the state from before the answer.
      return announced.promise
        .then((approvalId) => threads.answer(approvalId, 'allow-once'))
        .then(() => asked)
    }
    const store: Store = { ...inner, approvals: { ...inner.approvals, get } }
    const { threads, events, open } = start(store, sent, 'supervised')
    const session = await open()
    void events.next('approval-request').then(({ approvalId }) => {
      if (when === 'at once') void threads.answer(approvalId, 'allow-once')
      announced.resolve(approvalId)
    })
    expect(await session.send('Send it.')).toMatchObject({ type: 'done' })
    await expectOneTurn(store, sent)
  })
})
