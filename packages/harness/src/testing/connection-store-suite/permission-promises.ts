import { describe, expect, it } from 'vitest'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import { USER, OTHER_USER } from './rows.ts'

/** Tests scopes and known actions. */
export function testPermissions(open: () => MaybePromise<ConnectionStore>): void {
  describe('its scopes', () => {
    it('are read and write until the user changes them, per toolkit and user', async () => {
      const store = await open()
      const usual = { read: true, write: true, admin: false }
      expect(await store.scopes(USER, 'notes')).toEqual(usual)
      await store.setScopes(USER, 'notes', { read: true, write: false, admin: true })
      await store.setScopes(USER, 'notes', { read: false, write: false, admin: true })
      expect(await store.scopes(USER, 'notes')).toEqual({ read: false, write: false, admin: true })
      expect(await store.scopes(USER, 'mail')).toEqual(usual)
      expect(await store.scopes(OTHER_USER, 'notes')).toEqual(usual)
    })
  })

  describe('its users of a toolkit', () => {
    it('are those with a connection, scopes or chosen effects', async () => {
      const store = await open()
      expect(await store.users('notes')).toEqual([])
      await store.setScopes('b', 'notes', { read: true, write: true, admin: true })
      await store.setActionEffect('a', 'notes', 'look', { effect: 'read', digest: 'one' })
      await store.setActionEffect('c', 'mail', 'look', { effect: 'read', digest: 'one' })
      const row = { id: 'c1', userId: 'd', connector: 'mcp', toolkit: 'notes', label: '' }
      await store.create({ ...row, status: 'disconnected', createdAt: 1, updatedAt: 1 })
      expect(await store.users('notes')).toEqual(['a', 'b', 'd'])
    })
  })

  describe('its chosen effects', () => {
    it('are stored per user, toolkit and action, until they are removed', async () => {
      const store = await open()
      expect(await store.actionEffects(USER, 'notes')).toEqual(new Map())
      await store.setActionEffect(USER, 'notes', 'look', { effect: 'write', digest: 'one' })
      await store.setActionEffect(USER, 'notes', 'look', { effect: 'read', digest: 'two' })
      await store.setActionEffect(USER, 'notes', 'add', { effect: 'admin', digest: 'three' })
      expect(await store.actionEffects(USER, 'notes')).toEqual(
        new Map([
          ['add', { effect: 'admin', digest: 'three' }],
          ['look', { effect: 'read', digest: 'two' }],
        ]),
      )
      expect(await store.actionEffects(USER, 'mail')).toEqual(new Map())
      expect(await store.actionEffects(OTHER_USER, 'notes')).toEqual(new Map())
      await store.setActionEffect(USER, 'notes', 'look', undefined)
      await store.setActionEffect(USER, 'notes', 'never there', undefined)
      expect([...(await store.actionEffects(USER, 'notes')).keys()]).toEqual(['add'])
    })
  })

  describe('its known actions', () => {
    it('are stored per connection, each with its last digest', async () => {
      const store = await open()
      expect(await store.knownActions('connection_1')).toEqual(new Map())
      const given = new Map([
        ['list', 'digest 1'],
        ['add', 'digest 2'],
      ])
      await store.rememberActions('connection_1', given)
      given.set('list', 'forged')
      await store.rememberActions('connection_1', new Map([['add', 'digest 3']]))
      await store.rememberActions('connection_1', new Map())
      expect(await store.knownActions('connection_1')).toEqual(
        new Map([
          ['list', 'digest 1'],
          ['add', 'digest 3'],
        ]),
      )
      expect(await store.knownActions('connection_2')).toEqual(new Map())
    })
  })
}
