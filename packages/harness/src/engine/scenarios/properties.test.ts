import { describe, expect, it } from 'vitest'
import type { TurnEvent, TurnOutcome } from '@capstan/protocol'
import * as fc from 'fast-check'
import type { Session } from '../../entry-points/session/session.ts'
import { createSession } from '../../entry-points/session/session.ts'
import { restoreThread } from '../../ledger/restore-thread.ts'
import type { LedgerRecord } from '../../ports/ledger.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import {
  callsMany,
  cuts,
  empty,
  fails,
  findUnpairedCalls,
  finish,
  malformedCall,
  raw,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
  text,
} from '../../testing/index.ts'
import type { Clock } from '../../turn/clock.ts'
import type { JsonObject } from '../../turn/json.ts'
import { callsOf, textOf } from '../../turn/message/message.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'

const tools = [
  stubTool('look', ({ n }: { n?: number }) => `seen ${n ?? 0}`),
  stubTool('save', async () => 'saved', { effect: 'write' }),
  stubTool('broken', () => {
    throw new Error('broken')
  }),
  stubTool('refuses', () => fail('not you', { deniedBy: 'policy' }), { effect: 'write' }),
  stubTool('strict', () => 'ok', { input: { type: 'object', required: ['to'] } }),
  stubTool('ask', () => 'Which one?', { endsTurn: true }),
]

const aCall = fc.record({
  tool: fc.constantFrom('look', 'save', 'broken', 'refuses', 'strict', 'ask', 'nowhere', ''),
  args: fc.constantFrom<JsonObject>({ n: 1 }, { n: 2 }, {}, { to: 'ada' }),
  id: fc.constantFrom(undefined, '', 'a', 'b', 'call_0'),
})
const someText = fc.constantFrom('', ' ', 'Hm.', 'So. ', 'é😀')

/** One thing a model may do, of the good ones and the bad ones. */
const aReply: fc.Arbitrary<ScriptedReply> = fc.oneof(
  someText.map((words) => says(words)),
  fc
    .tuple(fc.array(aCall, { minLength: 1, maxLength: 12 }), someText)
    .map(([wanted, words]) =>
      callsMany(wanted.map((one, index) => (index === 0 ? { ...one, text: words } : one))),
    ),
  fc.constant(empty()),
  fc.constantFrom('look', 'nowhere').map((tool) => malformedCall(tool, '{"n": ')),
  someText.map((words) => cuts([text(words)])),
  someText.map((words) => cuts([text(words), { type: 'call-start', id: 'z', tool: 'look' }])),
  fc.constantFrom(400, 401, 402, 404, 413, 429, 500, 529).map((status) => fails(status)),
  someText.map((words) => fails({ kind: 'network' }, { after: [text(words)] })),
  fc.constant(says('Cut by length', { finish: 'length' })),
  fc.constant(says('', { finish: 'content-filter' })),
  fc.constant(raw([{ type: 'reasoning', delta: 'Let me think.' }, finish])),
)

/** A clock whose waits are over at once. */
const hurried = (): Clock => {
  let now = 0
  return {
    now: () => 0,
    monotonic: () => now,
    after(ms, task) {
      let open = true
      // Only the pauses between attempts: a deadline never comes.
      if (ms <= 30_000) {
        queueMicrotask(() => {
          if (!open) return
          now += ms
          task()
        })
      }
      return () => {
        open = false
      }
    },
  }
}

interface PlayedTurn {
  readonly outcomes: readonly TurnOutcome[]
  readonly events: readonly TurnEvent[]
  readonly session: Session
  readonly model: ScriptedModel
  readonly entries: readonly LedgerRecord[]
}

/** Two turns of a session through this script; when it runs out, the model says goodbye. */
async function play(
  replies: readonly ScriptedReply[],
  maxIterations: number,
  meddle: (session: Session, seq: number) => void = () => {},
): Promise<PlayedTurn> {
  const events = recordEvents()
  const goodbye = Array.from({ length: 60 }, () => says('Goodbye.'))
  const model = new ScriptedModel(...replies, ...goodbye)
  const store = createMemoryStore()
  const session = createSession({
    model,
    store,
    tools,
    clock: hurried(),
    limits: { maxIterations },
    onEvent(event) {
      events.onEvent(event)
      meddle(session, event.seq)
    },
  })
  const outcomes = [await session.send('one'), await session.send('two')]
  const entries = await store.ledger.read(session.threadId)
  return { outcomes, events: events.all, session, model, entries }
}

const playedTurn = fc.tuple(fc.array(aReply, { maxLength: 14 }), fc.integer({ min: 1, max: 6 }))
const always = (check: (playedTurn: PlayedTurn) => void) =>
  fc.assert(
    fc.asyncProperty(playedTurn, async ([replies, maxIterations]) =>
      check(await play(replies, maxIterations)),
    ),
    { numRuns: 150 },
  )

describe('any model behaviour', () => {
  it('gives every call exactly one result, in every request and at the end', async () => {
    await always(({ session, model }) => {
      expect(findUnpairedCalls(session.messages)).toEqual([])
      for (let n = 0; n < model.requests; n++)
        expect(findUnpairedCalls(model.request(n).messages)).toEqual([])
    })
  })

  it('gives events numbered without a gap; each turn starts once and ends once, last', async () => {
    await always(({ events }) => {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
      const marks = events.filter(({ type }) => type === 'turn-start' || type === 'turn-end')
      expect(marks.map(({ type }) => type)).toEqual(['turn-start', 'turn-end', 'turn-start', 'turn-end'])
      expect(events.at(-1)!.type).toBe('turn-end')
    })
  })

  it('gives every started call exactly one end', async () => {
    await always(({ events }) => {
      const ids = (type: string) =>
        events.flatMap((event) => (event.type === type && 'callId' in event ? [event.callId] : []))
      expect(ids('tool-end').toSorted()).toEqual(ids('tool-start').toSorted())
      expect(new Set(ids('tool-end')).size).toBe(ids('tool-end').length)
    })
  })

  it('gives the user a text, never a provider error or half a call', async () => {
    await always(({ outcomes }) => {
      for (const { text: words } of outcomes) {
        expect(words.trim()).not.toBe('')
        expect(words).not.toMatch(/scripted failure|call-start|undefined|\[object/)
      }
    })
  })

  it('gives usage that is the sum of all calls', async () => {
    await always(({ outcomes, events, entries }) => {
      const total = outcomes.reduce((sum, { usage }) => sum + usage.inputTokens, 0)
      const reported = events.reduce(
        (sum, event) => sum + (event.type === 'usage-update' ? event.call.inputTokens : 0),
        0,
      )
      const written = entries.reduce(
        (sum, entry) => sum + (entry.type === 'usage' ? entry.usage.inputTokens : 0),
        0,
      )
      expect(reported).toBe(total)
      expect(written).toBe(total)
    })
  })

  it('never exceeds the iteration cap, and the prompt never changes', async () => {
    await always(({ outcomes, events, model }) => {
      const max =
        events.flatMap((event) => (event.type === 'iteration-start' ? [event.maxIterations] : []))[0] ?? 0
      for (const { iterations } of outcomes) expect(iterations).toBeLessThanOrEqual(max)
      expect(events.filter(({ type }) => type === 'prefix-break')).toEqual([])
      const talks = Array.from({ length: model.requests }, (_, n) => model.request(n)).filter(
        ({ tools: sent }) => sent.length > 0,
      )
      for (const request of talks) expect(request.system).toBe(talks[0]!.system)
    })
  })

  it('gives records equal to the conversation, also after JSON', async () => {
    await always(({ session, entries }) => {
      expect(restoreThread(entries).conversations.get(session.threadId)?.messages).toEqual(session.messages)
      expect(JSON.parse(JSON.stringify(entries))).toEqual(entries)
      const calls = entries.flatMap((entry) =>
        entry.type === 'message' && entry.message.role === 'assistant' ? callsOf(entry.message) : [],
      )
      const results = entries.flatMap((entry) => (entry.type === 'call-result' ? [entry.result.callId] : []))
      expect(results.toSorted()).toEqual(calls.map(({ id }) => id).toSorted())
    })
  })
})

describe('any interruption', () => {
  it('by a stop leaves a sound history, an ended turn and a usable session', async () => {
    await fc.assert(
      fc.asyncProperty(
        playedTurn,
        fc.integer({ min: 1, max: 60 }),
        async ([replies, maxIterations], moment) => {
          const { session, events, outcomes, model } = await play(replies, maxIterations, (running, seq) => {
            if (seq === moment) running.stop()
          })
          expect(findUnpairedCalls(session.messages)).toEqual([])
          for (let n = 0; n < model.requests; n++)
            expect(findUnpairedCalls(model.request(n).messages)).toEqual([])
          expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(2)
          for (const outcome of outcomes) expect(outcome.text.trim()).not.toBe('')
          if (moment > events.length) return
          const stopped = events.findIndex(({ seq }) => seq === moment)
          const end = events.slice(stopped).find(({ type }) => type === 'turn-end')
          // The stop may come with the very last event, when the turn is over in all but name.
          if (end?.type === 'turn-end' && stopped < events.indexOf(end) - 1)
            expect(end.outcome.type).toBe('aborted')
        },
      ),
      { numRuns: 150 },
    )
  })

  it('by a message puts it in the conversation exactly when it was reported as delivered', async () => {
    await fc.assert(
      fc.asyncProperty(
        playedTurn,
        fc.uniqueArray(fc.integer({ min: 1, max: 40 })),
        async ([replies, max], moments) => {
          const sent: Promise<readonly [string, boolean]>[] = []
          const { session } = await play(replies, max, (running, seq) => {
            if (!moments.includes(seq)) return
            const words = `steer ${seq}`
            sent.push(running.steer(words).then(({ delivered }) => [words, delivered] as const))
          })
          const texts = session.messages.map(textOf)
          for (const [words, delivered] of await Promise.all(sent)) {
            expect(texts.filter((one) => one === words)).toHaveLength(delivered ? 1 : 0)
          }
          expect(findUnpairedCalls(session.messages)).toEqual([])
        },
      ),
      { numRuns: 100 },
    )
  })
})
