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
  const told = () =>
    lines.map((line) => ('event' in line ? `${line.type} ${line.event.seq}` : line.type)).join(', ')
  return { client, told, lines }
}

describe('EventClient', () => {
  it('fetches what it missed and goes on live, without a gap or a repeat', async () => {
    const stored = Array.from({ length: 60 }, (_, n) => eventOf(n + 1))
    const { client, told, lines } = clientOf(stored)
    const connecting = client.connect(threadId)
    client.receive(eventOf(60))
    await connecting
    client.receive(eventOf(61))
    expect(lines).toHaveLength(61)
    expect(told()).not.toMatch(/gap|repeat/)
  })

  it('remembers where it was from its journal', async () => {
    const before: Line[] = [{ type: 'event', event: eventOf(1) }]
    const { client, told } = clientOf([eventOf(1), eventOf(2)], { lines: before })
    await client.connect(threadId)
    expect(told()).toBe('event 1, event 2')
  })

  it('notices a gap, a repeat and another content under the same number', async () => {
    const { client, told } = clientOf([eventOf(1)])
    await client.connect(threadId)
    client.receive(eventOf(1, 'b'))
    client.receive(eventOf(3))
    client.receive(eventOf(3))
    expect(told()).toBe('event 1, repeat 1, gap 3, event 3, repeat 3')
  })

  it('comes back after it was away', async () => {
    const stored: TurnEvent[] = []
    const { client, told } = clientOf(stored, { awayEvery: 2 })
    for (let seq = 1; seq <= 4; seq++) {
      stored.push(eventOf(seq))
      client.receive(eventOf(seq))
    }
    expect(told()).toBe('event 1, event 2')
    await client.connect(threadId)
    expect(told()).toBe('event 1, event 2, event 3, event 4')
  })
})
