import type { CallId, RunId, ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { BINDING, CALL, OTHER_USER, RUN, THREAD, USER, approval, beginTurn, childStart } from './records.ts'

/** Tests the approvals of a store. */
export function testApprovals(
  open: () => Promise<Store>,
  edit?: (store: Store, approvalId: string) => unknown,
): void {
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  /** Opens a thread with an approval asked at 2000 that expires at 5000. */
  const ask = async (store: Store) => {
    await beginTurn(store)
    await store.ledger.commit(THREAD, [approval('approval_1')])
  }

  describe('its approvals', () => {
    it('are stored as they were requested', async () => {
      const store = await open()
      await ask(store)
      const asked = {
        id: 'approval_1',
        threadId: THREAD,
        runId: RUN,
        callId: CALL,
        tool: 'send_mail',
        label: 'Send a mail',
        arguments: { to: 'ada@example.com', tags: ['a', 'b'], nested: { deep: null } },
        digest: 'digest of call_1',
        signature: 'signature of call_1',
        binding: BINDING,
        limits: [{ to: ['ada@example.com'] }, { to: ['*@example.com'] }],
        createdAt: 2_000,
        expiresAt: 5_000,
        isIntact: true,
      }
      expect(await store.approvals.get('approval_1')).toEqual(asked)
      expect(await store.approvals.findByCall(RUN, CALL)).toEqual(asked)
      expect(await store.approvals.get('unknown')).toBeUndefined()
      expect(await store.approvals.findByCall(RUN, 'call_2' as CallId)).toBeUndefined()
      expect(await store.approvals.findByCall('run_2' as RunId, CALL)).toBeUndefined()
    })

    it('cannot be changed through objects passed in or returned', async () => {
      const store = await open()
      await beginTurn(store)
      const shown = { command: 'ls' }
      await store.ledger.commit(THREAD, [approval('approval_1', { arguments: shown })])
      shown.command = 'rm -rf /'
      const row = (await store.approvals.get('approval_1'))!
      try {
        Object.assign(row, { decision: 'allow-once' })
        Object.assign(row.arguments as object, { command: 'rm -rf /' })
      } catch {
        // Frozen objects are fine too.
      }
      expect(await store.approvals.get('approval_1')).toMatchObject({
        arguments: { command: 'ls' },
        isIntact: true,
      })
      expect((await store.approvals.get('approval_1'))!.decision).toBeUndefined()
    })

    it.each(['allow-once', 'allow-thread', 'allow-hour', 'allow-always', 'deny'] as const)(
      'accept the answer %j',
      async (decision) => {
        const store = await open()
        await ask(store)
        expect(await store.approvals.answer('approval_1', decision, 3_000)).toBe('accepted')
        expect(await store.approvals.get('approval_1')).toMatchObject({
          decision,
          decidedAt: 3_000,
          isIntact: true,
        })
        expect(await store.approvals.listGrants(USER, 3_000)).toHaveLength(
          decision === 'allow-once' || decision === 'deny' ? 0 : 1,
        )
      },
    )

    it('accept the first answer only', async () => {
      const store = await open()
      await ask(store)
      await store.approvals.answer('approval_1', 'deny', 3_000)
      expect(await store.approvals.answer('approval_1', 'allow-always', 3_100)).toBe('already-answered')
      expect(await store.approvals.answer('approval_1', 'deny', 9_000)).toBe('already-answered')
      expect(await store.approvals.get('approval_1')).toMatchObject({ decision: 'deny', decidedAt: 3_000 })
      expect(await store.approvals.listGrants(USER, 3_000)).toEqual([])
    })

    it('are found by the message that has answered them', async () => {
      const store = await open()
      await ask(store)
      expect(await store.approvals.answer('approval_1', 'deny', 3_000, undefined, 'message_9')).toBe(
        'accepted',
      )
      expect(await store.approvals.findByMessage(THREAD, 'message_9')).toMatchObject({
        id: 'approval_1',
        decision: 'deny',
        isIntact: true,
      })
      expect(await store.approvals.findByMessage(THREAD, 'message_8')).toBeUndefined()
      expect(await store.approvals.findByMessage('thread_2' as ThreadId, 'message_9')).toBeUndefined()
    })

    it('accept one of several concurrent answers', async () => {
      const store = await open()
      await ask(store)
      const receipts = await Promise.all(
        Array.from({ length: 10 }, async () => store.approvals.answer('approval_1', 'allow-once', 3_000)),
      )
      expect(receipts.filter((receipt) => receipt === 'accepted')).toHaveLength(1)
      expect(receipts.filter((receipt) => receipt === 'already-answered')).toHaveLength(9)
    })

    it('expire when an answer comes too late', async () => {
      const store = await open()
      await ask(store)
      expect(await store.approvals.answer('approval_1', 'allow-always', 5_001)).toBe('expired')
      expect((await store.approvals.get('approval_1'))!.decision).toBe('expired')
      expect(await store.approvals.listGrants(USER, 3_000)).toEqual([])
      expect(await store.approvals.answer('approval_1', 'allow-once', 3_000)).toBe('expired')
      expect((await store.approvals.get('approval_1'))!.decision).toBe('expired')
    })

    it('answer `unknown` for an id that does not exist', async () => {
      const store = await open()
      expect(await store.approvals.answer('approval_1', 'allow-always', 1)).toBe('unknown')
      expect(await store.approvals.get('approval_1')).toBeUndefined()
    })

    it('expire once when their time is over', async () => {
      const store = await open()
      await ask(store)
      await store.ledger.commit(THREAD, [
        approval('approval_2', { callId: 'call_2' as CallId, expiresAt: 6_000 }),
        approval('approval_3', { callId: 'call_3' as CallId, expiresAt: 4_000 }),
        approval('approval_4', { callId: 'call_4' as CallId, expiresAt: 4_500 }),
      ])
      await store.approvals.answer('approval_4', 'deny', 3_000)
      expect(await store.approvals.nextExpiry()).toBe(4_000)
      expect(await store.approvals.expire(3_999)).toEqual([])
      const over = await store.approvals.expire(5_000)
      expect(idsOf(over).toSorted()).toEqual(['approval_1', 'approval_3'])
      for (const row of over)
        expect(row).toMatchObject({ decision: 'expired', decidedAt: 5_000, isIntact: true })
      expect(await store.approvals.get('approval_3')).toEqual(over.find(({ id }) => id === 'approval_3'))
      expect(await store.approvals.expire(5_000)).toEqual([])
      expect(await store.approvals.nextExpiry()).toBe(6_000)
      await store.approvals.answer('approval_2', 'deny', 5_500)
      expect(await store.approvals.nextExpiry()).toBeUndefined()
      expect((await store.approvals.get('approval_4'))!.decision).toBe('deny')
    })

    it('have no next expiry when none is pending', async () => {
      const store = await open()
      expect(await store.approvals.nextExpiry()).toBeUndefined()
      expect(await store.approvals.expire(1_000)).toEqual([])
    })

    it('are listed oldest first, and as pending only until they expire or are answered', async () => {
      const store = await open()
      await ask(store)
      await store.ledger.commit(THREAD, [
        approval('approval_2', { callId: 'call_2' as CallId, createdAt: 2_100, expiresAt: 9_000 }),
        approval('approval_3', { callId: 'call_3' as CallId, createdAt: 2_200, expiresAt: 9_000 }),
        approval('approval_4', { callId: 'call_4' as CallId, createdAt: 2_300, expiresAt: 9_000 }),
      ])
      await store.approvals.answer('approval_3', 'deny', 3_000)
      const list = async (now: number, more: { pending?: boolean; limit?: number }) =>
        idsOf(await store.approvals.list({ userId: USER, now, ...more }))
      expect(await list(3_000, { pending: true })).toEqual(['approval_1', 'approval_2', 'approval_4'])
      expect(await list(3_000, { pending: true, limit: 2 })).toEqual(['approval_1', 'approval_2'])
      expect(await list(6_000, { pending: true })).toEqual(['approval_2', 'approval_4'])
      expect(await list(6_000, {})).toEqual(['approval_1', 'approval_2', 'approval_3', 'approval_4'])
      expect(await store.approvals.list({ userId: OTHER_USER, now: 3_000 })).toEqual([])
    })

    it('are listed by run, oldest first', async () => {
      const store = await open()
      await ask(store)
      const child = 'run_child' as RunId
      await store.ledger.commit(THREAD, [
        childStart(2_050, child, RUN),
        approval('approval_2', { runId: child, createdAt: 2_100 }),
        approval('approval_3', { callId: 'call_3' as CallId, createdAt: 2_200 }),
      ])
      expect(idsOf(await store.approvals.ofRuns([RUN, child]))).toEqual([
        'approval_1',
        'approval_2',
        'approval_3',
      ])
      expect(idsOf(await store.approvals.ofRuns([child]))).toEqual(['approval_2'])
      expect(await store.approvals.ofRuns([])).toEqual([])
      // Two runs may use the same id for a call.
      expect((await store.approvals.findByCall(child, CALL))!.id).toBe('approval_2')
      expect((await store.approvals.findByCall(RUN, CALL))!.id).toBe('approval_1')
    })

    it.runIf(edit)('are invalid after they were edited', async () => {
      const store = await open()
      await ask(store)
      await edit!(store, 'approval_1')
      expect((await store.approvals.get('approval_1'))!.isIntact).toBe(false)
      expect((await store.approvals.findByCall(RUN, CALL))!.isIntact).toBe(false)
      expect(await store.approvals.answer('approval_1', 'allow-always', 3_000)).toBe('expired')
      expect((await store.approvals.get('approval_1'))!.decision).toBe('expired')
      expect(await store.approvals.listGrants(USER, 3_000)).toEqual([])
    })

    it.runIf(edit)('are invalid when edited after the answer', async () => {
      const store = await open()
      await ask(store)
      await store.approvals.answer('approval_1', 'allow-once', 3_000)
      await edit!(store, 'approval_1')
      expect((await store.approvals.get('approval_1'))!.isIntact).toBe(false)
    })
  })
}
