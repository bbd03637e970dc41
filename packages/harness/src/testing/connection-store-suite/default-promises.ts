import type { ConnectionStatus } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import { USER, OTHER_USER, STATUSES, row, defaultsOf } from './rows.ts'

/** Tests which connection of a toolkit is the default. */
export function testDefaults(open: () => MaybePromise<ConnectionStore>): void {
  describe('the default connection', () => {
    it('is the first one of its toolkit and user', async () => {
      const store = await open()
      await store.create(row('connection_1'))
      await store.create(row('connection_2'))
      await store.create(row('connection_3', { toolkit: 'mail' }))
      await store.create(row('connection_4', { userId: OTHER_USER }))
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_1', 'connection_3'])
      expect(defaultsOf(await store.list(OTHER_USER))).toEqual(['connection_4'])
    })

    it('is the one the user chooses, one per toolkit', async () => {
      const store = await open()
      await store.create(row('connection_1'))
      await store.create(row('connection_2'))
      await store.create(row('connection_3', { toolkit: 'mail' }))
      await store.create(row('connection_4', { userId: OTHER_USER }))
      expect(await store.makeDefault('connection_2')).toBe(true)
      expect(await store.makeDefault('connection_2')).toBe(true)
      expect(await store.makeDefault('connection_9')).toBe(false)
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_2', 'connection_3'])
      expect(defaultsOf(await store.list(OTHER_USER))).toEqual(['connection_4'])
    })

    it('becomes the oldest remaining one when it is disconnected', async () => {
      const store = await open()
      await store.create(row('connection_1', { createdAt: 1_000 }))
      await store.create(row('connection_2', { createdAt: 2_000 }))
      await store.create(row('connection_3', { createdAt: 3_000 }))
      const gone = await store.change('connection_1', { status: 'disconnected', updatedAt: 2 }, ['pending'])
      expect(gone).toMatchObject({ isDefault: false })
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_2'])
      expect(await store.makeDefault('connection_1')).toBe(false)
      await store.change('connection_3', { status: 'disconnected', updatedAt: 2 }, ['pending'])
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_2'])
      await store.change('connection_2', { status: 'disconnected', updatedAt: 2 }, ['pending'])
      await store.create(row('connection_4', { createdAt: 4_000 }))
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_4'])
    })
  })

  describe('a default connection that is not active', () => {
    const settle = async (store: ConnectionStore, id: string, status: ConnectionStatus) =>
      store.change(id, { status, updatedAt: 2_000 }, STATUSES)

    it('is replaced by the first one that becomes active', async () => {
      const store = await open()
      for (const id of ['connection_1', 'connection_2', 'connection_3']) await store.create(row(id))
      await store.create(row('connection_4', { toolkit: 'mail' }))
      await settle(store, 'connection_1', 'failed')
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_1', 'connection_4'])
      expect(await settle(store, 'connection_2', 'active')).toMatchObject({ isDefault: true })
      expect(await settle(store, 'connection_3', 'active')).toMatchObject({ isDefault: false })
      expect(await settle(store, 'connection_1', 'active')).toMatchObject({ isDefault: false })
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_2', 'connection_4'])
    })

    it('stays the default while no other becomes active', async () => {
      const store = await open()
      await store.create(row('connection_1', { status: 'active' }))
      await store.create(row('connection_2', { status: 'active' }))
      await settle(store, 'connection_1', 'expired')
      await settle(store, 'connection_1', 'active')
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_1'])
    })

    it('is not chosen while an active one exists', async () => {
      const store = await open()
      await store.create(row('connection_1', { status: 'active' }))
      await store.create(row('connection_2', { status: 'expired', createdAt: 2_000 }))
      await store.create(row('connection_3', { status: 'active', createdAt: 3_000 }))
      await settle(store, 'connection_1', 'disconnected')
      expect(defaultsOf(await store.list(USER))).toEqual(['connection_3'])
    })
  })
}
