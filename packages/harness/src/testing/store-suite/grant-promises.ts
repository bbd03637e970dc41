import type { CallId, RunId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { grantCovers } from '../../turn/grant/grant.ts'
import {
  BINDING,
  OTHER_THREAD,
  OTHER_USER,
  THREAD,
  USER,
  approval,
  beginTurn,
  problemOf,
  runStart,
} from './records.ts'

const HOUR_MS = 3_600_000

/** Tests the grants of a store. */
export function testGrants(open: () => Promise<Store>): void {
  const ask = async (fields: Parameters<typeof approval>[1] = {}): Promise<Store> => {
    const store = await open()
    await beginTurn(store)
    await store.ledger.commit(THREAD, [approval('approval_1', fields)])
    return store
  }

  describe('its grants', () => {
    it.each([
      ['allow-thread', { lifetime: 'thread' }],
      ['allow-hour', { lifetime: 'hour', expiresAt: 3_000 + HOUR_MS }],
      ['allow-always', { lifetime: 'always' }],
    ] as const)(
      'are given by the answer %j, bound to everything the request says',
      async (decision, more) => {
        const store = await ask()
        await store.approvals.answer('approval_1', decision, 3_000)
        const given = {
          id: expect.stringMatching(/^grant_[\w-]{22}$/) as string,
          tool: 'send_mail',
          binding: BINDING,
          threadId: THREAD,
          createdAt: 3_000,
          ...more,
        }
        expect(await store.approvals.listGrants(USER, 3_000)).toEqual([given])
        expect(await store.approvals.findGrants(USER, 'send_mail')).toEqual([given])
        expect(await store.approvals.findGrants(USER, 'send')).toEqual([])
        expect(await store.approvals.findGrants(OTHER_USER, 'send_mail')).toEqual([])
        expect(await store.approvals.listGrants(OTHER_USER, 3_000)).toEqual([])
      },
    )

    it('for an hour are listed and cover calls until the hour is over', async () => {
      const store = await ask()
      await store.approvals.answer('approval_1', 'allow-hour', 3_000)
      const [grant] = await store.approvals.findGrants(USER, 'send_mail')
      const call = { tool: 'send_mail', binding: BINDING, threadId: THREAD, destinations: {} }
      expect(grantCovers(grant!, call, { now: 2_999 + HOUR_MS })).toBe(true)
      expect(grantCovers(grant!, call, { now: 3_000 + HOUR_MS })).toBe(false)
      expect(await store.approvals.listGrants(USER, 2_999 + HOUR_MS)).toHaveLength(1)
      expect(await store.approvals.listGrants(USER, 3_000 + HOUR_MS)).toEqual([])
    })

    it('are not given for what administers, which is allowed once', async () => {
      const store = await ask({ binding: { ...BINDING, effect: 'admin' } })
      expect(await store.approvals.answer('approval_1', 'allow-always', 3_000)).toBe('accepted')
      expect(await store.approvals.get('approval_1')).toMatchObject({
        decision: 'allow-once',
        isIntact: true,
      })
      expect(await store.approvals.listGrants(USER, 3_000)).toEqual([])
    })

    it('carry the constraints of the answer', async () => {
      const store = await ask()
      const constraints = { to: ['*@example.com'] }
      await store.approvals.answer('approval_1', 'allow-always', 3_000, constraints)
      expect(await store.approvals.listGrants(USER, 3_000)).toMatchObject([{ constraints }])
    })

    it.each([
      ['name another argument', 'allow-always', { subject: ['Tea'] }],
      ['do not match the call', 'allow-always', { to: ['*@evil.example'] }],
      ['are empty', 'allow-always', {}],
      ['are no pattern', 'allow-always', { to: ['*'] }],
      ['come with a single yes', 'allow-once', { to: ['*@example.com'] }],
      ['come with a no', 'deny', { to: ['*@example.com'] }],
    ] as const)('are not given with constraints that %s, and the approval stays open', async (...given) => {
      const [, decision, constraints] = given
      const store = await ask()
      const { approvals } = store
      expect(await problemOf(() => approvals.answer('approval_1', decision, 3_000, constraints))).toBe(
        'invalid',
      )
      expect(await approvals.listGrants(USER, 3_000)).toEqual([])
      expect((await approvals.get('approval_1'))!.decision).toBeUndefined()
      expect(await approvals.answer('approval_1', 'allow-once', 3_000)).toBe('accepted')
    })

    it('belong to one user, are listed once however often they were given, and can be revoked', async () => {
      const store = await ask()
      await store.threads.create({ id: OTHER_THREAD, userId: OTHER_USER, at: 1_000 })
      await store.ledger.commit(OTHER_THREAD, [
        runStart(1_100, { runId: 'run_other' as RunId }),
        approval('approval_2', { threadId: OTHER_THREAD, runId: 'run_other' as RunId, tool: 'shell' }),
      ])
      await store.ledger.commit(THREAD, [
        approval('approval_3', { callId: 'call_3' as CallId, tool: 'shell' }),
        approval('approval_4', { callId: 'call_4' as CallId, tool: 'shell' }),
      ])
      for (const [index, id] of ['approval_1', 'approval_3', 'approval_4'].entries())
        expect(await store.approvals.answer(id, 'allow-always', 3_000 + index)).toBe('accepted')
      const grants = await store.approvals.listGrants(USER, 4_000)
      expect(grants.map(({ tool }) => tool)).toEqual(['send_mail', 'shell'])
      expect(await store.approvals.listGrants(OTHER_USER, 4_000)).toEqual([])
      const { id } = grants[1]!
      expect(await store.approvals.revokeGrant(OTHER_USER, id)).toBe(false)
      expect(await store.approvals.revokeGrant(USER, id)).toBe(true)
      expect(await store.approvals.revokeGrant(USER, id)).toBe(false)
      expect(await store.approvals.findGrants(USER, 'shell')).toEqual([])
      expect(await store.approvals.listGrants(USER, 4_000)).toHaveLength(1)
    })

    it('cannot be changed through objects that were returned', async () => {
      const store = await ask()
      await store.approvals.answer('approval_1', 'allow-always', 3_000, { to: ['*@example.com'] })
      const [grant] = await store.approvals.listGrants(USER, 3_000)
      try {
        Object.assign(grant!.constraints!, { to: ['*@evil.example'] })
      } catch {
        // Frozen objects are fine too.
      }
      expect(await store.approvals.findGrants(USER, 'send_mail')).toMatchObject([
        { constraints: { to: ['*@example.com'] } },
      ])
    })
  })
}
