import type { RunId, ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { Store } from '../../ports/store.ts'
import { oneOfEach } from './one-of-each.ts'
import {
  OTHER_THREAD,
  RUN,
  THREAD,
  USER,
  approval,
  beginTurn,
  event,
  eventBody,
  intent,
  problemOf,
  readResult,
  result,
  runEnd,
  runPark,
  runResume,
  runStart,
  userMessage,
  usageOf,
} from './records.ts'

const RUN_2 = 'run_2' as RunId

/**
 * Records that are invalid after a turn `run_1` with the message `message_1` and the approval `approval_1`, and late in
 * `SECOND_TURN`.
 */
const INVALID: readonly (readonly [string, LedgerRecord])[] = [
  ['an event whose number leaves a gap', event(6)],
  ['an event whose number was there before', event(2)],
  ['an event numbered like the one before it', event(4)],
  ['an event with the number 0', event(0)],
  ['an event whose number is not whole', event(4.5)],
  ['an event of another thread', event(5, OTHER_THREAD)],
  ['a run whose id is taken', runStart(2_000)],
  [
    'a message that was already delivered',
    runStart(2_000, { runId: 'run_3' as RunId, messageId: 'message_1' }),
  ],
  ['a message that comes twice in it', runStart(2_000, { runId: 'run_3' as RunId, messageId: 'message_2' })],
  ['the end of a run nobody started', runEnd(2_000, 'run_unknown')],
  ['a wait of a run nobody started', runPark(2_000, 'run_unknown', { kind: 'sign-in', id: 'x' })],
  ['a resumption of a run nobody started', runResume(2_000, 'run_unknown')],
  ['an approval whose id is taken', approval('approval_1')],
  ['an approval of another thread', approval('approval_3', { threadId: OTHER_THREAD })],
]

/** A second turn with records for every kind of row. */
const SECOND_TURN: readonly LedgerRecord[] = [
  runStart(2_000, { runId: RUN_2, messageId: 'message_2', text: 'zebra' }),
  event(3),
  userMessage(2_001, 'giraffe', 'steer'),
  usageOf(2_002, 'model-b', RUN_2),
  intent(2_003, 'call_2', RUN_2),
  readResult(2_004, 'call_3', RUN_2),
  approval('approval_2', { runId: RUN_2 }),
  { type: 'media', at: 2_005, ref: 'media_2', bytes: Uint8Array.of(1, 2) },
  event(4),
  runEnd(2_006, RUN_2),
]

/** Tests the ledger of a store. */
export function testLedger(open: () => Promise<Store>): void {
  describe('its ledger', () => {
    it('returns records of every kind, unchanged and in order', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      const records = oneOfEach()
      await store.ledger.commit(THREAD, records)
      const expected = records.map((record) =>
        record.type === 'media' ? { ...record, bytes: new Uint8Array(0) } : record,
      )
      expect(await store.ledger.read(THREAD)).toEqual(expected)
    })

    it('keeps the order of commits that are not awaited', async () => {
      const store = await open()
      await beginTurn(store)
      const commits: unknown[] = []
      for (let seq = 1; seq <= 100; seq++) {
        commits.push(store.ledger.commit(THREAD, [event(seq), userMessage(seq, `message ${seq}`)]))
      }
      await Promise.all(commits)
      const records = (await store.ledger.read(THREAD)).slice(1)
      expect(records).toEqual(
        Array.from({ length: 100 }, (_, i) => [event(i + 1), userMessage(i + 1, `message ${i + 1}`)]).flat(),
      )
    })

    it('accepts thousands of records at once', async () => {
      const store = await open()
      await beginTurn(store)
      const records = Array.from({ length: 5_000 }, (_, i) => event(i + 1))
      await store.ledger.commit(THREAD, records)
      expect(await store.ledger.lastSeq(THREAD)).toBe(5_000)
      expect((await store.ledger.read(THREAD)).slice(1)).toEqual(records)
    })

    it('is not changed when the caller changes the list afterwards', async () => {
      const store = await open()
      await beginTurn(store)
      const records = [event(1), event(2)]
      await store.ledger.commit(THREAD, records)
      records.length = 0
      expect((await store.ledger.read(THREAD)).slice(1)).toEqual([event(1), event(2)])
    })

    it('ignores an empty commit', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [])
      expect(await store.ledger.read(THREAD)).toEqual([runStart(1_100)])
    })

    it('returns no records of an unknown thread and refuses a commit to it', async () => {
      const store = await open()
      expect(await problemOf(() => store.ledger.commit(THREAD, [runStart(1)]))).toBe('invalid')
      expect(await store.ledger.read(THREAD)).toEqual([])
      expect(await store.ledger.readEvents(THREAD, 0)).toEqual([])
      expect(await store.ledger.lastSeq(THREAD)).toBe(0)
      expect(await store.ledger.readMedia(THREAD, 'media_1')).toBeUndefined()
      expect(await store.runs.get(RUN)).toBeUndefined()
    })

    it.each(INVALID)('refuses a whole commit that contains %s', async (_, invalid) => {
      const store = await open()
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 1_000 })
      await beginTurn(store, { messageId: 'message_1' })
      await store.ledger.commit(THREAD, [approval('approval_1'), event(1), event(2)])
      const facts = async () => ({
        records: await store.ledger.read(THREAD),
        lastSeq: await store.ledger.lastSeq(THREAD),
        thread: await store.threads.get(THREAD),
        runs: await store.runs.list({ userId: USER }),
        message: await store.runs.findByMessage(THREAD, 'message_2'),
        calls: await store.runs.calls([RUN, RUN_2]),
        approvals: await store.approvals.list({ userId: USER, now: 0 }),
        usage: await store.runs.usage({ userId: USER }),
        media: await store.ledger.readMedia(THREAD, 'media_2'),
        found: [
          await store.threads.search({ userId: USER, words: 'zebra' }),
          await store.threads.search({ userId: USER, words: 'giraffe' }),
        ],
      })
      const before = await facts()
      const records = [...SECOND_TURN.slice(0, -1), invalid, ...SECOND_TURN.slice(-1)]
      expect(await problemOf(() => store.ledger.commit(THREAD, records))).toBe('invalid')
      expect(await facts()).toEqual(before)

      await store.ledger.commit(THREAD, SECOND_TURN)
      expect((await store.runs.get(RUN_2))?.status).toBe('done')
      expect(await store.ledger.lastSeq(THREAD)).toBe(4)
    })

    it('refuses records of a run of another thread', async () => {
      const store = await open()
      await beginTurn(store)
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 1_000 })
      for (const record of [
        runEnd(2_000),
        runResume(2_000, RUN),
        runPark(2_000, RUN, { kind: 'sign-in', id: 'x' }),
      ]) {
        expect(await problemOf(() => store.ledger.commit(OTHER_THREAD, [record]))).toBe('invalid')
      }
      expect(await store.runs.get(RUN)).toMatchObject({ status: 'running', resumes: 0 })
      expect(await store.ledger.read(OTHER_THREAD)).toEqual([])
    })

    it('accepts a whole run in one commit', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, [
        runStart(1_100),
        intent(1_200, 'call_1'),
        result(1_300, 'call_1'),
        runPark(1_400, RUN, { kind: 'sign-in', id: 'x' }),
        runResume(1_500, RUN),
        runEnd(1_600),
      ])
      expect(await store.runs.get(RUN)).toMatchObject({ status: 'done', resumes: 1, endedAt: 1_600 })
      expect(await store.runs.calls([RUN])).toMatchObject([{ callId: 'call_1', status: 'ok' }])
    })

    it('reads events after a number, in order, up to a limit', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [event(1), userMessage(1, 'between'), event(2)])
      await store.ledger.commit(THREAD, [event(3), event(4), event(5)])
      const read = async (after: number, limit?: number) =>
        (await store.ledger.readEvents(THREAD, after, limit)).map(({ seq }) => seq)
      expect(await read(0)).toEqual([1, 2, 3, 4, 5])
      expect(await read(2)).toEqual([3, 4, 5])
      expect(await read(1, 2)).toEqual([2, 3])
      expect(await read(0, 100)).toEqual([1, 2, 3, 4, 5])
      expect(await read(5)).toEqual([])
      expect(await read(99, 5)).toEqual([])
      expect(await store.ledger.readEvents(THREAD, 1, 1)).toEqual([eventBody(2)])
    })

    it('numbers the events of each thread separately', async () => {
      const store = await open()
      await beginTurn(store)
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, [event(1), event(2)])
      await store.ledger.commit(OTHER_THREAD, [event(1, OTHER_THREAD)])
      expect(await store.ledger.lastSeq(THREAD)).toBe(2)
      expect(await store.ledger.lastSeq(OTHER_THREAD)).toBe(1)
      expect(await store.ledger.readEvents(OTHER_THREAD, 0)).toEqual([eventBody(1, OTHER_THREAD)])
    })

    it('stores the bytes of media unchanged, per thread', async () => {
      const store = await open()
      await beginTurn(store)
      const every = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256)
      const part = every.subarray(10, 20)
      await store.ledger.commit(THREAD, [
        { type: 'media', at: 1, ref: 'every', bytes: every },
        { type: 'media', at: 2, ref: 'part', bytes: part },
        { type: 'media', at: 3, ref: 'none', bytes: new Uint8Array(0) },
      ])
      // The media are shown again in a later turn.
      await store.ledger.commit(THREAD, [{ type: 'media', at: 4, ref: 'part', bytes: part }])
      const hex = Buffer.from(every).toString('hex')
      every.fill(0)
      const read = async (ref: string, threadId: ThreadId = THREAD) => {
        const bytes = await store.ledger.readMedia(threadId, ref)
        return bytes && Buffer.from(bytes).toString('hex')
      }
      expect((await read('every')) === hex).toBe(true)
      expect(await read('part')).toBe('0a0b0c0d0e0f10111213')
      expect(await read('none')).toBe('')
      expect(await read('unknown')).toBeUndefined()
      expect(await read('part', OTHER_THREAD)).toBeUndefined()
    })

    it('syncs for many concurrent callers', async () => {
      const store = await open()
      await beginTurn(store)
      const waits: unknown[] = []
      for (let seq = 1; seq <= 10; seq++) {
        waits.push(store.ledger.commit(THREAD, [event(seq)]), store.ledger.sync())
      }
      await Promise.all(waits)
      expect(await store.ledger.lastSeq(THREAD)).toBe(10)
    })
  })
}
