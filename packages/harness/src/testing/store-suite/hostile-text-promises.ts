import type { CallId, RunId, ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { Store } from '../../ports/store.ts'
import {
  FAILURE,
  RUN,
  THREAD,
  USER,
  approval,
  done,
  event,
  intent,
  result,
  runEnd,
  runStart,
  userMessage,
} from './records.ts'

/** Texts that a store keeps in its records but not in rows for a screen. */
const UNSHOWABLE: readonly (readonly [string, string])[] = [
  ['NUL', 'before\0after'],
  ['the half of a character at the end', 'half \ud83d'],
  ['the half of a character in front', '\ude00 half'],
]

const SHOWABLE: readonly (readonly [string, string])[] = [
  ['emoji', '👩‍👩‍👧‍👦 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['quotes', `it's "quoted" \`twice\`; DROP TABLE threads; --`],
  ['placeholders', '? :name $1 @x %s %% \\ \\u0000 {{x}} ${y}'],
  ['right to left', 'שלום \u202eabc\u202c عربي'],
  ['marks on marks', 'Z\u0351\u036b\u0343a\u0300'],
]

/** Tests a store with hostile texts. */
export function testHostileTexts(open: () => Promise<Store>): void {
  const kindsOf = (text: string): readonly LedgerRecord[] => [
    runStart(1_100, { text, messageId: 'message_1' }),
    event(1, THREAD, text),
    userMessage(1_200, text, 'steer'),
    approval('approval_1', { arguments: { [text]: text }, label: text }),
    intent(1_300, 'call_1'),
    result(1_400, 'call_1', { ...FAILURE, cause: text }),
    runEnd(1_500, RUN, done(text)),
  ]

  describe('with hostile texts', () => {
    it.each([...SHOWABLE, ...UNSHOWABLE])('stores %s in its records', async (_, text) => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, kindsOf(text))
      expect(await store.ledger.read(THREAD)).toEqual(kindsOf(text))
      expect(await store.ledger.readEvents(THREAD, 0)).toMatchObject([{ delta: text }])
      expect(await store.approvals.get('approval_1')).toMatchObject({
        isIntact: true,
        arguments: { [text]: text },
      })
      expect((await store.runs.calls([RUN]))[0]!.failure!.cause).toBe(text)
      expect((await store.runs.get(RUN))!.outcome!.text).toBe(text)
      const shown = (value: string) => value.toWellFormed().replaceAll('\0', '')
      expect(shown((await store.runs.get(RUN))!.text)).toBe(shown(text))
      expect((await store.threads.get(THREAD))!.title).not.toBe('')
      expect(Array.isArray(await store.threads.search({ userId: USER, words: text }))).toBe(true)
    })

    it.each(SHOWABLE)('stores %s in names', async (_, text) => {
      const store = await open()
      const threadId = `thread ${text}` as ThreadId
      const runId = `run ${text}` as RunId
      const callId = `call ${text}` as CallId
      await store.threads.create({ id: threadId, userId: text, title: text, at: 1_000 })
      await store.ledger.commit(threadId, [
        runStart(1_100, { runId, messageId: text, agent: text, model: text }),
        approval(text, { threadId, runId, callId, tool: text }),
        { type: 'media', at: 1_200, ref: text, bytes: Uint8Array.of(7) },
        { type: 'usage', at: 1_300, runId, model: text, usage: done().usage, elapsedMs: 1 },
      ])
      expect(await store.threads.list({ userId: text })).toMatchObject([{ id: threadId, title: text }])
      expect(await store.runs.findByMessage(threadId, text)).toMatchObject({
        id: runId,
        agent: text,
        model: text,
      })
      expect((await store.approvals.findByCall(runId, callId))!.id).toBe(text)
      expect(await store.approvals.answer(text, 'allow-always', 3_000)).toBe('accepted')
      expect(await store.approvals.findGrants(text, text)).toMatchObject([{ tool: text, threadId }])
      expect(await store.ledger.readMedia(threadId, text)).toEqual(Uint8Array.of(7))
      expect(await store.runs.usage({ userId: text, threadId })).toMatchObject([{ model: text, calls: 1 }])
      expect(await store.threads.rename(threadId, `${text}!`)).toBe(true)
      expect((await store.threads.get(threadId))!.title).toBe(`${text}!`)
      expect(await store.threads.list({ userId: `${text} ` })).toEqual([])
      expect(await store.threads.delete(threadId)).toBe(true)
      expect(await store.runs.get(runId)).toBeUndefined()
    })

    it('stores a text of a megabyte and finds its first words', async () => {
      const store = await open()
      const text = `walrus ${'é語😀 '.repeat(90_000)}`
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, kindsOf(text))
      const records = await store.ledger.read(THREAD)
      // Compared here, because a diff of a megabyte is unreadable.
      expect(JSON.stringify(records) === JSON.stringify(kindsOf(text))).toBe(true)
      expect((await store.runs.get(RUN))!.text.length).toBeLessThanOrEqual(200)
      expect((await store.threads.get(THREAD))!.title.length).toBeLessThanOrEqual(60)
      const hits = await store.threads.search({ userId: USER, words: 'walrus' })
      expect(hits.map(({ thread }) => thread.id)).toEqual([THREAD])
      expect(hits[0]!.excerpt.length).toBeLessThan(1_000)
    })

    it('stores deeply nested arguments', async () => {
      const store = await open()
      let nested: unknown = 'core'
      for (let depth = 0; depth < 500; depth++) nested = depth % 2 === 0 ? [nested] : { nested }
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, [runStart(1_100), approval('approval_1', { arguments: nested })])
      expect((await store.approvals.get('approval_1'))!.arguments).toEqual(nested)
    })

    it('stores keys that are special in JavaScript', async () => {
      const store = await open()
      const hostile: unknown = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1, "toString": "x"}')
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, [runStart(1_100), approval('approval_1', { arguments: hostile })])
      const kept = (await store.approvals.get('approval_1'))!.arguments
      expect(JSON.stringify(kept)).toBe(JSON.stringify(hostile))
      expect(await store.approvals.findGrants('__proto__', 'constructor')).toEqual([])
      expect(await store.threads.get('__proto__' as ThreadId)).toBeUndefined()
    })
  })
}
