import type { RunId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../ports/store.ts'
import {
  CALL,
  FAILURE,
  OTHER_THREAD,
  OTHER_USER,
  RUN,
  THREAD,
  USAGE,
  USER,
  beginTurn,
  childStart,
  done,
  intent,
  readResult,
  result,
  runEnd,
  runPark,
  runResume,
  runStart,
  usageOf,
} from './records.ts'

const APPROVAL = { kind: 'approval', id: 'approval_1' } as const
const SIGN_IN = { kind: 'sign-in', id: 'approval_1' } as const

/** Tests the runs of a store. */
export function testRuns(open: () => Promise<Store>): void {
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const statuses = async (store: Store) =>
    Object.fromEntries((await store.runs.list({ userId: USER })).map(({ id, status }) => [id, status]))

  /** A turn, its two sub-agents and a sub-agent of the first of them. */
  const beginTree = async (store: Store) => {
    await beginTurn(store)
    await store.ledger.commit(THREAD, [
      childStart(1_200, 'run_a', RUN),
      childStart(1_300, 'run_b', RUN),
      childStart(1_400, 'run_a1', 'run_a', 2),
    ])
  }

  describe('its runs', () => {
    it('are running from their start to their end', async () => {
      const store = await open()
      await beginTurn(store)
      const running = {
        id: RUN,
        threadId: THREAD,
        agent: 'orchestrator',
        depth: 0,
        origin: 'web',
        model: 'model-a',
        status: 'running',
        text: 'What is new?',
        startedAt: 1_100,
        resumes: 0,
      }
      expect(await store.runs.get(RUN)).toEqual(running)
      await store.ledger.commit(THREAD, [runEnd(1_900)])
      expect(await store.runs.get(RUN)).toEqual({
        ...running,
        status: 'done',
        endedAt: 1_900,
        outcome: done(),
      })
      expect(await store.runs.get('run_unknown' as RunId)).toBeUndefined()
    })

    it('have the status of their outcome after their end', async () => {
      const store = await open()
      await beginTurn(store)
      const outcome = {
        type: 'failed',
        failure: FAILURE,
        text: 'It failed.',
        usage: USAGE,
        iterations: 1,
      } as const
      await store.ledger.commit(THREAD, [runEnd(1_900, RUN, outcome)])
      expect(await store.runs.get(RUN)).toMatchObject({ status: 'failed', outcome })
    })

    it('show the first 200 characters of the question without splitting one', async () => {
      const store = await open()
      await beginTurn(store, { text: `${'x'.repeat(199)}😀 and more` })
      expect((await store.runs.get(RUN))!.text).toBe('x'.repeat(199))
      await store.ledger.commit(THREAD, [
        runStart(1_200, { runId: 'run_2' as RunId, text: 'y'.repeat(100_000) }),
      ])
      expect((await store.runs.get('run_2' as RunId))!.text).toBe('y'.repeat(200))
    })

    it('have their parent call, and are listed parents first', async () => {
      const store = await open()
      await beginTree(store)
      const ids = idsOf(await store.runs.tree(RUN))
      expect(ids.toSorted()).toEqual([RUN, 'run_a', 'run_a1', 'run_b'])
      expect(ids[0]).toBe(RUN)
      expect(ids.indexOf('run_a')).toBeLessThan(ids.indexOf('run_a1'))
      expect(idsOf(await store.runs.tree('run_a' as RunId))).toEqual(['run_a', 'run_a1'])
      expect(await store.runs.tree('run_unknown' as RunId)).toEqual([])
      expect(await store.runs.get('run_a1' as RunId)).toMatchObject({
        parent: { runId: 'run_a', callId: CALL },
        depth: 2,
        agent: 'researcher',
      })
    })

    it('wait together with the runs above them, and resume together with the runs below them', async () => {
      const store = await open()
      await beginTree(store)
      await store.ledger.commit(THREAD, [runEnd(1_500, 'run_b')])
      await store.ledger.commit(THREAD, [runPark(1_600, 'run_a1', APPROVAL)])
      expect(await statuses(store)).toEqual({
        [RUN]: 'waiting',
        run_a: 'waiting',
        run_a1: 'waiting',
        run_b: 'done',
      })
      expect((await store.runs.get('run_a1' as RunId))!.waitsFor).toEqual(APPROVAL)
      expect((await store.runs.findWaiting(APPROVAL))!.id).toBe(RUN)
      expect(await store.runs.findWaiting(SIGN_IN)).toBeUndefined()
      expect(await store.runs.findWaiting({ kind: 'approval', id: 'other' })).toBeUndefined()

      await store.ledger.commit(THREAD, [runResume(1_700, RUN)])
      expect(await statuses(store)).toEqual({
        [RUN]: 'running',
        run_a: 'running',
        run_a1: 'running',
        run_b: 'done',
      })
      expect((await store.runs.get('run_a1' as RunId))!.waitsFor).toBeUndefined()
      expect((await store.runs.get(RUN))!.resumes).toBe(1)
      expect(await store.runs.findWaiting(APPROVAL)).toBeUndefined()

      await store.ledger.commit(THREAD, [runEnd(1_800, 'run_a1'), runEnd(1_900, 'run_a'), runEnd(2_000)])
      expect(await statuses(store)).toEqual({ [RUN]: 'done', run_a: 'done', run_a1: 'done', run_b: 'done' })
    })

    it('are found by each of two sub-agents’ waits', async () => {
      const store = await open()
      await beginTree(store)
      await store.ledger.commit(THREAD, [runPark(1_600, 'run_a', APPROVAL), runPark(1_601, 'run_b', SIGN_IN)])
      expect((await store.runs.findWaiting(APPROVAL))!.id).toBe(RUN)
      expect((await store.runs.findWaiting(SIGN_IN))!.id).toBe(RUN)
    })

    it('wait without a sub-agent, and no longer after they were stopped', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [runPark(1_200, RUN, SIGN_IN)])
      expect(await store.runs.findWaiting(SIGN_IN)).toMatchObject({
        id: RUN,
        status: 'waiting',
        waitsFor: SIGN_IN,
      })
      const aborted = { type: 'aborted', text: 'Stopped.', usage: USAGE, iterations: 1 } as const
      await store.ledger.commit(THREAD, [runEnd(1_300, RUN, aborted)])
      expect(await store.runs.findWaiting(SIGN_IN)).toBeUndefined()
      expect((await store.runs.get(RUN))!.waitsFor).toBeUndefined()
    })

    it('count their resumes', async () => {
      const store = await open()
      await beginTurn(store)
      for (const at of [1_200, 1_300, 1_400]) await store.ledger.commit(THREAD, [runResume(at, RUN)])
      expect(await store.runs.get(RUN)).toMatchObject({ resumes: 3, status: 'running', startedAt: 1_100 })
    })

    it('are listed as unfinished while they run or wait: turns only, oldest first', async () => {
      const store = await open()
      await store.threads.create({ id: OTHER_THREAD, userId: OTHER_USER, at: 1_000 })
      await store.ledger.commit(OTHER_THREAD, [runStart(1_050, { runId: 'run_other' as RunId })])
      await beginTree(store)
      await store.ledger.commit(THREAD, [
        runStart(1_010, { runId: 'run_2' as RunId }),
        runStart(1_020, { runId: 'run_3' as RunId }),
        runPark(1_500, 'run_a', APPROVAL),
        runEnd(1_600, 'run_3'),
      ])
      expect(idsOf(await store.runs.unfinished())).toEqual(['run_2', 'run_other', RUN])
    })

    it('are found by their message id within a thread', async () => {
      const store = await open()
      await beginTurn(store, { messageId: 'message_1' })
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(OTHER_THREAD, [
        runStart(1_100, { runId: 'run_other' as RunId, messageId: 'message_1' }),
      ])
      expect((await store.runs.findByMessage(THREAD, 'message_1'))!.id).toBe(RUN)
      expect((await store.runs.findByMessage(OTHER_THREAD, 'message_1'))!.id).toBe('run_other')
      expect(await store.runs.findByMessage(THREAD, 'message_2')).toBeUndefined()
    })

    it('may start without a message id, any number of them', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [runStart(1_200, { runId: 'run_2' as RunId })])
      expect(idsOf(await store.runs.list({ userId: USER }))).toEqual(['run_2', RUN])
    })

    it('are listed newest first and page by page, by thread, status and depth', async () => {
      const store = await open()
      await beginTree(store)
      await store.ledger.commit(THREAD, [runEnd(1_450, 'run_b')])
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(OTHER_THREAD, [runStart(1_250, { runId: 'run_other' as RunId })])
      const list = async (query: Omit<Parameters<Store['runs']['list']>[0], 'userId'>) =>
        idsOf(await store.runs.list({ userId: USER, ...query }))
      expect(await list({})).toEqual(['run_a1', 'run_b', 'run_other', 'run_a', RUN])
      expect(await list({ threadId: THREAD })).toEqual(['run_a1', 'run_b', 'run_a', RUN])
      expect(await list({ depth: 0 })).toEqual(['run_other', RUN])
      expect(await list({ depth: 1, threadId: THREAD })).toEqual(['run_b', 'run_a'])
      expect(await list({ status: 'done' })).toEqual(['run_b'])
      expect(await list({ status: 'running', depth: 0, threadId: THREAD })).toEqual([RUN])
      expect(await list({ limit: 2 })).toEqual(['run_a1', 'run_b'])
      expect(await list({ limit: 2, before: 1_300 })).toEqual(['run_other', 'run_a'])
      expect(await list({ before: 1_100 })).toEqual([])
    })

    it('of the same millisecond are all listed once, page by page', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      const ids = Array.from({ length: 25 }, (_, n) => `run_${n}`)
      for (const id of ids) await store.ledger.commit(THREAD, [runStart(1_100, { runId: id as RunId })])
      await store.ledger.commit(THREAD, [runStart(1_099, { runId: 'run_before' as RunId })])
      await store.ledger.commit(THREAD, [runStart(1_101, { runId: 'run_after' as RunId })])
      for (const threadId of [undefined, THREAD]) {
        const listed: string[] = []
        const query = { userId: USER, limit: 4, ...(threadId && { threadId }) }
        let page = await store.runs.list(query)
        while (page.length > 0) {
          listed.push(...idsOf(page))
          page = await store.runs.list({ ...query, cursor: page.at(-1)! })
        }
        expect(listed).toEqual(['run_after', ...ids.toReversed(), 'run_before'])
      }
    })

    it('are listed after a deleted run without losing one of its millisecond', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      for (const id of ['run_1', 'run_2'])
        await store.ledger.commit(THREAD, [runStart(1_100, { runId: id as RunId })])
      const cursor = { startedAt: 1_100, id: 'run_deleted' as RunId }
      expect(idsOf(await store.runs.list({ userId: USER, cursor }))).toEqual(['run_2', 'run_1'])
    })

    it('are not listed without a user', async () => {
      const store = await open()
      await beginTurn(store)
      for (const query of [{}, { userId: '' }, { threadId: THREAD }]) {
        const listing = async () => store.runs.list(query as never)
        await expect(listing()).rejects.toMatchObject({
          name: 'StoreError',
          kind: 'invalid',
          message: expect.stringContaining('userId') as string,
        })
      }
    })

    it('are listed to their own user only', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [usageOf(1_200, 'model-a')])
      expect(await store.runs.list({ userId: OTHER_USER })).toEqual([])
      expect(await store.runs.list({ userId: OTHER_USER, threadId: THREAD })).toEqual([])
      expect(await store.runs.usage({ userId: OTHER_USER })).toEqual([])
      expect(await store.runs.usage({ userId: OTHER_USER, threadId: THREAD })).toEqual([])
    })

    it('list a call at its start and with its result', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [intent(1_200, 'call_1')])
      const call = { runId: RUN, threadId: THREAD, callId: 'call_1', tool: 'send_mail', effect: 'write' }
      const digest = 'digest of call_1'
      expect(await store.runs.calls([RUN])).toEqual([
        { ...call, status: 'started', at: 1_200, durationMs: 0, outputBytes: 0, digest },
      ])
      await store.ledger.commit(THREAD, [result(1_300, 'call_1')])
      const facts = { at: 1_300, durationMs: 120, outputBytes: 2_048, digest }
      expect(await store.runs.calls([RUN])).toEqual([
        { ...call, ...facts, status: 'ok', decision: 'approved' },
      ])
    })

    it('list a failed call and a read', async () => {
      const store = await open()
      await beginTurn(store)
      await store.ledger.commit(THREAD, [result(1_300, 'call_1', FAILURE), readResult(1_400, 'call_2')])
      expect(await store.runs.calls([RUN])).toEqual([
        {
          runId: RUN,
          threadId: THREAD,
          callId: 'call_1',
          tool: 'send_mail',
          effect: 'write',
          status: 'failed',
          decision: 'refused',
          failure: FAILURE,
          at: 1_300,
          durationMs: 120,
          outputBytes: 2_048,
          digest: 'digest of call_1',
        },
        {
          runId: RUN,
          threadId: THREAD,
          callId: 'call_2',
          tool: 'search',
          effect: 'read',
          status: 'ok',
          at: 1_400,
          durationMs: 7,
          outputBytes: 11,
        },
      ])
    })

    it('list their calls in the order they ended, or started if unfinished', async () => {
      const store = await open()
      await beginTree(store)
      await store.ledger.commit(THREAD, [intent(1_500, 'call_1'), intent(1_510, 'call_2', 'run_a')])
      await store.ledger.commit(THREAD, [
        intent(1_520, 'call_3'),
        result(1_530, 'call_2', undefined, 'run_a'),
      ])
      await store.ledger.commit(THREAD, [
        intent(1_540, 'call_4', 'run_b'),
        readResult(1_550, 'call_1', 'run_a'),
      ])
      await store.ledger.commit(THREAD, [result(1_560, 'call_1')])
      const calls = async (...runIds: string[]) =>
        (await store.runs.calls(runIds as RunId[])).map(({ runId, callId }) => `${runId} ${callId}`)
      expect(await calls(RUN, 'run_a')).toEqual([
        `${RUN} call_3`,
        'run_a call_2',
        'run_a call_1',
        `${RUN} call_1`,
      ])
      expect(await calls('run_b')).toEqual(['run_b call_4'])
      expect(await calls('run_unknown')).toEqual([])
      expect(await calls()).toEqual([])
    })

    it('sum their usage per model, sub-agents included', async () => {
      const store = await open()
      await beginTree(store)
      await store.threads.create({ id: OTHER_THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, [
        usageOf(1_500, 'model-a'),
        usageOf(1_600, 'model-b', 'run_a1'),
        usageOf(1_700, 'model-a', 'run_a'),
      ])
      await store.ledger.commit(OTHER_THREAD, [
        runStart(1_800, { runId: 'run_other' as RunId }),
        usageOf(1_900, 'model-a', 'run_other'),
      ])
      const usage = async (query: { threadId?: typeof THREAD; since?: number }) =>
        (await store.runs.usage({ userId: USER, ...query })).toSorted((a, b) =>
          a.model.localeCompare(b.model),
        )
      const times = (count: number) =>
        Object.fromEntries(Object.entries(USAGE).map(([key, value]) => [key, Number(value) * count]))
      expect(await usage({})).toEqual([
        { model: 'model-a', calls: 3, usage: times(3) },
        { model: 'model-b', calls: 1, usage: USAGE },
      ])
      expect(await usage({ threadId: THREAD })).toEqual([
        { model: 'model-a', calls: 2, usage: times(2) },
        { model: 'model-b', calls: 1, usage: USAGE },
      ])
      expect(await usage({ since: 1_650 })).toEqual([{ model: 'model-a', calls: 2, usage: times(2) }])
      expect(await usage({ since: 5_000 })).toEqual([])
      await store.runs.recordUsage(USER, { at: 2_000, model: 'model-c', usage: USAGE })
      const other = { model: 'model-c', calls: 1, usage: USAGE }
      expect(await usage({})).toContainEqual(other)
      expect(await usage({ since: 2_000 })).toEqual([other])
      expect(await usage({ threadId: THREAD })).not.toContainEqual(other)
    })
  })
}
