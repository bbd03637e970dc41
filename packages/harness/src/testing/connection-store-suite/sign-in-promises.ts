import { describe, expect, it } from 'vitest'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import { USER, OTHER_USER, flow, thrownBy } from './rows.ts'

/** Tests sign-in flows. */
export function testSignInFlows(open: () => MaybePromise<ConnectionStore>): void {
  describe('a sign-in flow', () => {
    it('is taken once', async () => {
      const store = await open()
      await store.openFlow(flow('hash_1'))
      await store.openFlow(flow('hash_2', { userId: OTHER_USER, connectionId: 'connection_2' }))
      expect(await store.takeFlow('hash_1', 2_000)).toEqual(flow('hash_1'))
      expect(await store.takeFlow('hash_1', 2_000)).toBeUndefined()
      expect(await store.takeFlow('hash_2', 2_000)).toMatchObject({ userId: OTHER_USER })
      expect(await store.takeFlow('', 2_000)).toBeUndefined()
    })

    it('is taken by one of several concurrent callers', async () => {
      const store = await open()
      await store.openFlow(flow('hash_1'))
      const taken = await Promise.all(Array.from({ length: 5 }, async () => store.takeFlow('hash_1', 2_000)))
      expect(taken.filter((one) => one !== undefined)).toEqual([flow('hash_1')])
    })

    it('cannot be taken after it expired', async () => {
      const store = await open()
      await store.openFlow(flow('hash_1', { expiresAt: 5_000 }))
      await store.openFlow(flow('hash_2', { expiresAt: 5_000, connectionId: 'connection_2' }))
      expect(await store.takeFlow('hash_1', 5_000)).toBeUndefined()
      expect(await store.takeFlow('hash_1', 4_000)).toBeUndefined()
      expect(await store.takeFlow('hash_2', 4_999)).toMatchObject({ stateHash: 'hash_2' })
    })

    it('is replaced by a newer one of the same connection', async () => {
      const store = await open()
      await store.openFlow(flow('hash_1'))
      await store.openFlow(flow('hash_2'))
      expect(await store.takeFlow('hash_1', 2_000)).toBeUndefined()
      expect(await store.takeFlow('hash_2', 2_000)).toMatchObject({ stateHash: 'hash_2' })
    })

    it('cannot be opened again by another user under the same state', async () => {
      const store = await open()
      await store.openFlow(flow('hash_1'))
      const error = await thrownBy(() => store.openFlow(flow('hash_1', { userId: OTHER_USER })))
      expect(error).toMatchObject({ kind: 'invalid' })
      expect(await store.takeFlow('hash_1', 2_000)).toMatchObject({ userId: USER })
    })
  })
}
