import type { RunRow, TurnEvent } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { TestNode } from '../fixtures/nodes.fixture.ts'
import { useNodes } from '../fixtures/nodes.fixture.ts'

const nodes = useNodes()
const WAIT = { timeout: 20_000, interval: 50 }

const runsOf = (node: TestNode, threadId: string) => node.ask<readonly RunRow[]>('runs', threadId)
const untilDone = (node: TestNode, threadId: string) =>
  vi.waitFor(async () => {
    const [run] = await runsOf(node, threadId)
    expect(run?.status).toBe('done')
    return run!
  }, WAIT)

/** The events of a thread have numbers without gaps and repeats. */
async function expectWhole(node: TestNode, threadId: string): Promise<readonly TurnEvent[]> {
  const events = await node.ask<readonly TurnEvent[]>('events', threadId)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  return events
}

const startAll = (names: readonly string[], env?: Readonly<Record<string, string>>) =>
  Promise.all(names.map((name) => nodes.start(name, env)))

/** The node that is writing the notes, as soon as there are some. */
const findWriter = (all: readonly TestNode[], least = 2) =>
  vi.waitFor(async () => {
    const lines = await nodes.notes()
    expect(lines.length).toBeGreaterThanOrEqual(least)
    const name = lines[0]!.split(' ')[0]
    return { writer: all.find((node) => node.name === name)!, other: all.find((node) => node.name !== name)! }
  }, WAIT)

const writtenNotes = async () => (await nodes.notes()).map((line) => line.split(' ')[1])

describe('three nodes', () => {
  it('a message to one node is a turn that all see, and its id is one turn on every node', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => nodes.start(name)))
    await a!.ask('create', 'thread_1')
    const post = { text: 'notes 3', messageId: 'm1' }
    const receipts = await Promise.all([a, b, c].map((node) => node!.ask('message', 'thread_1', post)))
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
    await untilDone(b!, 'thread_1')
    expect((await nodes.notes()).map((line) => line.split(' ')[1])).toEqual(['1', '2', '3'])
    const events = await expectWhole(c!, 'thread_1')
    await vi.waitFor(() => {
      const told = c!.updates.flatMap((update) => {
        if (update.type === 'turn-event') return [update.event.seq]
        return update.type === 'thread-advance' ? [update.seq] : []
      })
      expect(Math.max(...told)).toBe(events.length)
    }, WAIT)
    expect([...a!.problems, ...b!.problems, ...c!.problems]).toEqual([])
  }, 60_000)

  it('a killed node: another one goes on, and nothing is done twice', async () => {
    const all = await Promise.all(['a', 'b', 'c'].map((name) => nodes.start(name, { NODE_PAUSE_MS: '200' })))
    await all[0]!.ask('create', 'thread_2')
    await all[0]!.ask('message', 'thread_2', { text: 'notes 8', messageId: 'm1' })
    const first = await vi.waitFor(async () => {
      const lines = await nodes.notes()
      expect(lines.length).toBeGreaterThan(1)
      return lines[0]!.split(' ')[0]!
    }, WAIT)
    await all.find(({ name }) => name === first)!.kill()
    const left = all.filter(({ name }) => name !== first)
    await vi.waitFor(async () => {
      const lines = await nodes.notes()
      expect(lines.some((line) => !line.startsWith(first))).toBe(true)
    }, WAIT)
    await untilDone(left[0]!, 'thread_2')
    const written = (await nodes.notes()).map((line) => line.split(' ')[1])
    expect(new Set(written).size).toBe(written.length)
    await expectWhole(left[1]!, 'thread_2')
  }, 60_000)

  it('an approval that one node asked for is answered on another, once', async () => {
    const all = await startAll(['a', 'b'], { NODE_MODE: 'supervised' })
    const [a, b] = all as [TestNode, TestNode]
    await a.ask('create', 'thread_3')
    await a.ask('message', 'thread_3', { text: 'notes 1', messageId: 'm1' })
    const id = await vi.waitFor(async () => {
      const [asked] = await b.ask<readonly { id: string }[]>('pending')
      expect(asked).toBeDefined()
      return asked!.id
    }, WAIT)
    const receipts = await Promise.all([
      a.ask('answer', id, 'allow-once'),
      b.ask('answer', id, 'allow-once'),
      b.ask('answer', id, 'deny'),
    ])
    expect(receipts.filter((receipt) => receipt === 'accepted')).toHaveLength(1)
    const [run] = await vi.waitFor(async () => {
      const runs = await runsOf(b, 'thread_3')
      expect(runs[0]?.status).toBe('done')
      return runs
    }, WAIT)
    expect(run?.status).toBe('done')
    expect((await writtenNotes()).length).toBeLessThanOrEqual(1)
    await expectWhole(b, 'thread_3')
  }, 60_000)

  it('a turn is stopped, steered and deleted from a node that does not run it', async () => {
    const all = await startAll(['a', 'b'], { NODE_PAUSE_MS: '300' })
    await all[0]!.ask('create', 'thread_4')
    await all[0]!.ask('message', 'thread_4', { text: 'notes 9', messageId: 'm1' })
    const { other } = await findWriter(all)
    await other.ask('message', 'thread_4', { text: 'hurry up', messageId: 'm2', mode: 'steer' })
    await other.ask('stop', 'thread_4')
    await vi.waitFor(async () => {
      const [run] = await runsOf(other, 'thread_4')
      expect(run?.status).toBe('aborted')
    }, WAIT)
    expect((await writtenNotes()).length).toBeLessThan(9)
    expect(await other.ask('remove', 'thread_4')).toBe(true)
    expect(await other.ask('remove', 'thread_4')).toBe(false)
    await expect(other.ask('message', 'thread_4', { text: 'hello', messageId: 'm3' })).rejects.toThrow(
      /found/i,
    )
  }, 60_000)

  it('a node that leaves hands its turn over at once', async () => {
    const all = await startAll(['a', 'b'], { NODE_PAUSE_MS: '200' })
    await all[0]!.ask('create', 'thread_5')
    await all[0]!.ask('message', 'thread_5', { text: 'notes 8', messageId: 'm1' })
    const { writer, other } = await findWriter(all)
    await writer.ask('leave')
    await untilDone(other, 'thread_5')
    const written = await writtenNotes()
    expect(new Set(written).size).toBe(written.length)
    expect((await nodes.notes()).some((line) => line.startsWith(other.name))).toBe(true)
    await expectWhole(other, 'thread_5')
  }, 60_000)

  it('a web node takes the message, and a worker runs the turn', async () => {
    const web = await nodes.start('web', { NODE_ROLE: 'web' })
    const worker = await nodes.start('worker', { NODE_ROLE: 'worker' })
    await web.ask('create', 'thread_6')
    await web.ask('message', 'thread_6', { text: 'notes 2', messageId: 'm1' })
    await untilDone(web, 'thread_6')
    expect(await nodes.notes()).toEqual([`${worker.name} 1`, `${worker.name} 2`])
  }, 60_000)

  it('stop everything on one node stops the turns of all, and nothing starts before the release', async () => {
    const all = await startAll(['a', 'b'], { NODE_PAUSE_MS: '200' })
    await all[0]!.ask('create', 'thread_7')
    await all[0]!.ask('message', 'thread_7', { text: 'notes 9', messageId: 'm1' })
    const { writer, other } = await findWriter(all)
    await other.ask('hold')
    const stopped = await writtenNotes()
    await expect(writer.ask('message', 'thread_7', { text: 'notes 1', messageId: 'm2' })).rejects.toThrow(
      /stopped/i,
    )
    expect(await writtenNotes()).toEqual(stopped)
    await writer.ask('release')
    await other.ask('message', 'thread_7', { text: 'notes 1', messageId: 'm2' })
    await untilDone(other, 'thread_7')
  }, 60_000)

  it('a turn that brings down one node after the other is given up with words', async () => {
    const all = [await nodes.start('n0', { NODE_DIES: '1' })]
    await all[0]!.ask('create', 'thread_8')
    all[0]!.ask('message', 'thread_8', { text: 'notes 3', messageId: 'm1' }).catch(() => {})
    for (let number = 1; number <= 6; number++) {
      await vi.waitFor(() => expect(all.at(-1)!.process.exitCode).toBe(9), WAIT)
      if (number < 6) all.push(await nodes.start(`n${number}`, { NODE_DIES: '1' }))
    }
    const last = await nodes.start('last')
    const [run] = await vi.waitFor(async () => {
      const runs = await runsOf(last, 'thread_8')
      expect(runs[0]?.status).toBe('failed')
      return runs
    }, WAIT)
    expect(run?.outcome).toMatchObject({
      type: 'failed',
      failure: { class: 'interrupted', detail: { kind: 'gave-up' } },
    })
  }, 120_000)
})
