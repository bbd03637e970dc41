import { describe, expect, it } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { oneOfEach } from './one-of-each.ts'
import { CALL, RUN, THREAD, USER, approval, beginTurn, event, problemOf, runPark } from './records.ts'

/** Tests closing and reopening a store. */
export function testLifetime(open: () => Promise<Store>, reopen?: (store: Store) => Promise<Store>): void {
  describe('its lifetime:', () => {
    it('a store opened without problems has no notices', async () => {
      const store = await open()
      expect(store.notices).toEqual([])
    })

    it('a closed store rejects every operation and may be closed twice', async () => {
      const store = await open()
      await beginTurn(store)
      await store.close()
      await store.close()
      for (const action of [
        () => store.ledger.commit(THREAD, [event(1)]),
        () => store.ledger.sync(),
        () => store.ledger.read(THREAD),
        () => store.ledger.readEvents(THREAD, 0),
        () => store.threads.create({ id: THREAD, userId: USER, at: 1 }),
        () => store.threads.get(THREAD),
        () => store.runs.unfinished(),
        () => store.approvals.answer('approval_1', 'deny', 1),
        () => store.approvals.expire(1),
      ]) {
        expect(await problemOf(action)).toBe('closed')
      }
    })

    it.runIf(reopen)('a reopened store has all data', async () => {
      const store = await open()
      await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
      await store.ledger.commit(THREAD, oneOfEach())
      await store.approvals.answer('approval_1', 'allow-always', 3_000)
      const writer = store.artifacts.create({ threadId: THREAD, callId: CALL, tool: 'shell' })
      await writer.write('large')
      const { id } = await writer.close()
      const facts = async ({ ledger, threads, runs, approvals, artifacts }: Store) => ({
        records: await ledger.read(THREAD),
        events: await ledger.readEvents(THREAD, 0),
        lastSeq: await ledger.lastSeq(THREAD),
        media: Buffer.from((await ledger.readMedia(THREAD, 'media_1'))!).toString('hex'),
        threads: await threads.list({ userId: USER }),
        found: await threads.search({ userId: USER, words: 'new' }),
        tree: await runs.tree(RUN),
        calls: await runs.calls([RUN]),
        message: await runs.findByMessage(THREAD, 'message_1'),
        usage: await runs.usage({ userId: USER }),
        approvals: await approvals.list({ userId: USER, now: 3_000 }),
        grants: await approvals.listGrants(USER, 3_000),
        nextExpiry: await approvals.nextExpiry(),
        artifact: await artifacts.read(THREAD, id, { offset: 0, maxBytes: 10 }),
      })
      const before = await facts(store)
      const again = await reopen!(store)
      expect(await facts(again)).toEqual(before)
      expect(before.approvals.every(({ isIntact }) => isIntact)).toBe(true)
      expect(await problemOf(() => again.ledger.commit(THREAD, [event(3)]))).toBe('invalid')
      await again.ledger.commit(THREAD, [event(4)])
      expect(await again.ledger.lastSeq(THREAD)).toBe(4)
    })

    it.runIf(reopen)('a reopened store knows what a run waits for and accepts the answer', async () => {
      const store = await open()
      const waitsFor = { kind: 'approval', id: 'approval_1' } as const
      await beginTurn(store)
      await store.ledger.commit(THREAD, [approval('approval_1'), runPark(2_100, RUN, waitsFor)])
      const again = await reopen!(store)
      expect((await again.runs.findWaiting(waitsFor))!.id).toBe(RUN)
      expect(await again.approvals.answer('approval_1', 'allow-once', 3_000)).toBe('accepted')
      expect(await again.approvals.findByCall(RUN, CALL)).toMatchObject({
        decision: 'allow-once',
        isIntact: true,
      })
    })
  })
}
