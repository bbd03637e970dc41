import type { ConnectionStatus } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import { StoreError } from '../../turn/errors.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import { USER, OTHER_USER, HOSTILE, STATUSES, row, idsOf, thrownBy } from './rows.ts'

/** Tests creating, listing and changing connections. */
export function testConnections(open: () => MaybePromise<ConnectionStore>): void {
  describe('its connections', () => {
    it('are stored as they were created', async () => {
      const store = await open()
      const made = await store.create(row('connection_1', { label: 'Ada', reason: 'waits' }))
      expect(made).toEqual({ ...row('connection_1', { label: 'Ada', reason: 'waits' }), isDefault: true })
      expect(await store.get('connection_1')).toEqual(made)
      expect(await store.get('connection_2')).toBeUndefined()
    })

    it('have ids that are unique across users', async () => {
      const store = await open()
      await store.create(row('connection_1'))
      const error = await thrownBy(() => store.create(row('connection_1', { userId: OTHER_USER })))
      expect(error).toBeInstanceOf(StoreError)
      expect(error).toMatchObject({ kind: 'invalid' })
      expect(await store.get('connection_1')).toMatchObject({ userId: USER })
      expect(await store.list(OTHER_USER)).toEqual([])
    })

    it('are listed oldest first, for their user only, without disconnected ones', async () => {
      const store = await open()
      await store.create(row('connection_3', { createdAt: 3_000 }))
      await store.create(row('connection_1', { createdAt: 1_000 }))
      await store.create(row('connection_2', { createdAt: 2_000, toolkit: 'mail' }))
      await store.create(row('connection_4', { createdAt: 4_000 }))
      await store.create(row('connection_5', { userId: OTHER_USER }))
      await store.change('connection_4', { status: 'disconnected', updatedAt: 5_000 }, ['pending'])
      expect(idsOf(await store.list(USER))).toEqual(['connection_1', 'connection_2', 'connection_3'])
      expect(idsOf(await store.list(OTHER_USER))).toEqual(['connection_5'])
      expect(await store.list('user_3')).toEqual([])
      expect(await store.get('connection_4')).toMatchObject({ status: 'disconnected' })
    })

    it('that wait for a sign-in are listed for all users', async () => {
      const store = await open()
      await store.create(row('connection_1'))
      await store.create(row('connection_2', { status: 'active' }))
      await store.create(row('connection_3', { userId: OTHER_USER }))
      await store.create(row('connection_4'))
      await store.change('connection_4', { status: 'failed', updatedAt: 2_000 }, ['pending'])
      expect(idsOf(await store.pending())).toEqual(['connection_1', 'connection_3'])
    })

    it('cannot be changed through objects passed in or returned', async () => {
      const store = await open()
      const given = row('connection_1')
      await store.create(given)
      for (const held of [given, (await store.get('connection_1'))!, ...(await store.list(USER))]) {
        try {
          Object.assign(held, { status: 'active' })
        } catch {
          // Frozen objects are fine too.
        }
      }
      expect(await store.get('connection_1')).toMatchObject({ status: 'pending' })
    })

    it.each(HOSTILE)('are stored under names like %j', async (text) => {
      const store = await open()
      const made = row(text, { userId: text, toolkit: text, label: text, reason: text })
      await store.create(made)
      await store.setScopes(text, text, { read: true, write: false, admin: false })
      await store.rememberActions(text, new Map([[text, text]]))
      await store.vault.write(text, { [text === '__proto__' ? 'key' : text]: text })
      expect(await store.get(text)).toEqual({ ...made, isDefault: true })
      expect(idsOf(await store.list(text))).toEqual([text])
      expect(await store.scopes(text, text)).toEqual({ read: true, write: false, admin: false })
      expect(await store.knownActions(text)).toEqual(new Map([[text, text]]))
      expect(Object.values((await store.vault.read(text))!)).toEqual([text])
    })
  })

  describe('a change of a connection', () => {
    it.each(STATUSES)('is made only from the named statuses: %j', async (status) => {
      const store = await open()
      await store.create(row('connection_1', { status }))
      const others = STATUSES.filter((other) => other !== status)
      const change = { status: 'active', label: 'Ada', updatedAt: 2_000 } as const
      expect(await store.change('connection_1', change, others)).toBeUndefined()
      expect(await store.change('connection_1', change, [])).toBeUndefined()
      expect(await store.get('connection_1')).toMatchObject({ status, label: '', updatedAt: 1_000 })
      const changed = await store.change('connection_1', change, [status])
      expect(changed).toMatchObject(change)
      expect(await store.get('connection_1')).toEqual(changed)
    })

    it('keeps the fields it does not name, and removes a reason that is undefined', async () => {
      const store = await open()
      await store.create(row('connection_1', { label: 'Ada', reason: 'waits', reasonCode: 'declined' }))
      await store.change('connection_1', { updatedAt: 2_000 }, ['pending'])
      expect(await store.get('connection_1')).toMatchObject({
        status: 'pending',
        label: 'Ada',
        reason: 'waits',
        reasonCode: 'declined',
        updatedAt: 2_000,
      })
      await store.change('connection_1', { updatedAt: 3_000, reason: undefined }, ['pending'])
      expect(Object.hasOwn((await store.get('connection_1'))!, 'reason')).toBe(false)
      expect(await store.get('connection_1')).toMatchObject({ reasonCode: 'declined' })
      await store.change('connection_1', { updatedAt: 3_500, reasonCode: undefined }, ['pending'])
      expect(Object.hasOwn((await store.get('connection_1'))!, 'reasonCode')).toBe(false)
      await store.change('connection_1', { updatedAt: 4_000, reason: 'late' }, ['pending'])
      expect(await store.get('connection_1')).toMatchObject({ reason: 'late', label: 'Ada' })
    })

    it('is made once when several settle concurrently', async () => {
      const store = await open()
      await store.create(row('connection_1'))
      const settle = async (status: ConnectionStatus) =>
        store.change('connection_1', { status, updatedAt: 2_000 }, ['pending'])
      const settled = await Promise.all([settle('active'), settle('failed'), settle('active')])
      const winners = settled.filter((won) => won !== undefined)
      expect(winners.length).toBe(1)
      expect(await store.get('connection_1')).toEqual(winners[0])
    })

    it('does nothing for an unknown connection', async () => {
      const store = await open()
      const changed = await store.change('connection_1', { status: 'active', updatedAt: 1 }, STATUSES)
      expect(changed).toBeUndefined()
      expect(await store.get('connection_1')).toBeUndefined()
    })
  })
}
