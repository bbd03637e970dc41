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
    const killedAt = Date.now()
    const left = all.filter(({ name }) => name !== first)
    await vi.waitFor(async () => {
      const lines = await nodes.notes()
      expect(lines.some((line) => !line.startsWith(first))).toBe(true)
    }, WAIT)
    console.log('takeover', Date.now() - killedAt)
    await untilDone(left[0]!, 'thread_2')
    const written = (await nodes.notes()).map((line) => line.split(' ')[1])
    expect(new Set(written).size).toBe(written.length)
    await expectWhole(left[1]!, 'thread_2')
  }, 60_000)
})
