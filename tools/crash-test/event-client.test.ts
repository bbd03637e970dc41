import { describe, expect, it } from 'vitest'
import type { RunId, ThreadId, TurnEvent } from '@capstan/protocol'
import { EventClient } from './event-client.ts'
import type { Journal, Line } from './journal.ts'

const threadId = 'thread_1' as ThreadId
const eventOf = (seq: number, text = 'a'): TurnEvent => ({
  type: 'notice-add',
  iteration: 1,
  text,
  threadId,
  runId: 'run_1' as RunId,
  seq,
  at: 0,
})

function clientOf(stored: TurnEvent[], { awayEvery = 0, lines = [] as Line[] } = {}) {
  const journal: Journal = { lines, add: (line) => void lines.push(line) }
  const readEvents = async (_: ThreadId, after: number, limit = 100) => stored.slice(after, after + limit)
  const client = new EventClient(journal, { readEvents }, awayEvery)
  const received = () =>
    lines.map((line) => ('event' in line ? `${line.type} ${line.event.seq}` : line.type)).join(', ')
  return { client, received, lines }
}

describe('EventClient', () => {
  it('fetches missed events and continues live, without a gap or a repeat', async () => {
    const stored = Array.from({ length: 60 }, (_, n) => eventOf(n + 1))
    const { client, received, lines } = clientOf(stored)
    const connecting = client.connect(threadId)
    client.receive(eventOf(60))
    await connecting
    client.receive(eventOf(61))
    expect(lines).toHaveLength(61)
    expect(received()).not.toMatch(/gap|repeat/)
  })

  it('continues after the last event of its journal', async () => {
    const before: Line[] = [{ type: 'event', event: eventOf(1) }]
    const { client, received } = clientOf([eventOf(1), eventOf(2)], { lines: before })
    await client.connect(threadId)
    expect(received()).toBe('event 1, event 2')
  })

  it('records a gap, a repeat, and other content under the same number', async () => {
    const { client, received } = clientOf([eventOf(1)])
    await client.connect(threadId)
    client.receive(eventOf(1, 'b'))
    client.receive(eventOf(3))
    client.receive(eventOf(3))
    expect(received()).toBe('event 1, repeat 1, gap 3, event 3, repeat 3')
  })

  it('fetches missed events after it was disconnected', async () => {
    const stored: TurnEvent[] = []
    const { client, received } = clientOf(stored, { awayEvery: 2 })
    for (let seq = 1; seq <= 4; seq++) {
      stored.push(eventOf(seq))
      client.receive(eventOf(seq))
    }
    expect(received()).toBe('event 1, event 2')
    await client.connect(threadId)
    expect(received()).toBe('event 1, event 2, event 3, event 4')
  })
})
