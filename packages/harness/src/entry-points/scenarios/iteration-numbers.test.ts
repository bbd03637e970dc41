import { describe, expect, it } from 'vitest'
import type { Guard } from '../../guards/guard.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import type { ModelRequest } from '../../models/model-client.ts'
import type { Step } from '../../testing/index.ts'
import { calls, cuts, says, stubTool } from '../../testing/index.ts'
import { callsOf } from '../../turn/message/message.ts'
import { start, THREAD } from './restarts.fixture.ts'

/** Nudges after every call. */
const nagging: Guard = { name: 'nagging', afterCall: () => ({ action: 'nudge', text: 'Come to an end.' }) }

/** The same reply for the same messages, in every process. */
const repliesTo = (reply: (request: ModelRequest) => Step): readonly Step[] =>
  Array.from({ length: 10 }, () => reply)

const answered = ({ messages }: ModelRequest) => messages.filter((message) => message.role === 'assistant')

const TURNS = {
  'a nudge': repliesTo((request) => {
    const n = answered(request).filter((message) => callsOf(message).length > 0).length
    return n < 2 ? calls('look', { n }, { id: `look_${n}` }) : says('Done.')
  }),
  'a reply that broke off': repliesTo((request) =>
    answered(request).length === 0
      ? cuts([{ type: 'text', delta: 'The first half ' }])
      : says('and the second.'),
  ),
}

const options = { tools: [stubTool('look', ({ n }: { n: number }) => `page ${n}`)], guards: () => [nagging] }

/** How often the model was asked, and in which iteration each call ran. */
async function numbersOf(store: Store) {
  const events = await store.ledger.readEvents(THREAD, 0)
  const looks = new Set(
    events.flatMap((one) => (one.type === 'tool-start' ? [`${one.callId} in ${one.iteration}`] : [])),
  )
  const [end] = events.flatMap((one) => (one.type === 'turn-end' ? [one.outcome] : []))
  return { iterations: end?.iterations, text: end?.text, looks: [...looks] }
}

describe('the iterations of a resumed turn', () => {
  it.each(Object.entries(TURNS))(
    'keep their numbers around %s, wherever its records end',
    async (_, steps) => {
      const whole = createMemoryStore()
      const { session } = await start(whole, steps, options)
      await session.send('Look twice.')
      const expected = await numbersOf(whole)
      const records = await whole.ledger.read(THREAD)
      const begin = records.findIndex(({ type }) => type === 'message') + 1
      // From here on the answer is shown, and a shown text that breaks off is an iteration of its own.
      const end =
        records.findLastIndex((one) => one.type === 'event' && one.event.type === 'iteration-start') + 1
      expect(end - begin).toBeGreaterThan(3)
      for (let length = begin; length <= end; length++) {
        const store = createMemoryStore()
        await store.threads.create({ id: THREAD, userId: 'local', at: 0 })
        store.ledger.commit(THREAD, records.slice(0, length))
        const next = await start(store, steps, options)
        await next.threads.resume()
        await next.threads.idle()
        expect(await numbersOf(store), `after ${JSON.stringify(records[length - 1])}`).toEqual(expected)
      }
    },
  )
})
