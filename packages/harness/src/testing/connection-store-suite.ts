import type { ConnectionRow, ConnectionStatus } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { ConnectionStore, SignInFlow } from '../ports/connection-store.ts'
import { StoreError } from '../turn/errors.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** What only some stores can be asked. */
export interface ConnectionStoreSuiteOptions {
  /** Closes the store and opens what it left behind. For stores that outlive a process. */
  readonly reopen?: (store: ConnectionStore) => MaybePromise<ConnectionStore>
  /** Changes one byte of a secret behind the vault's back. */
  readonly tamper?: (store: ConnectionStore, connectionId: string) => MaybePromise<void>
  /** Puts what is stored of one connection's secret in the place of another's. */
  readonly swap?: (store: ConnectionStore, from: string, to: string) => MaybePromise<void>
  /** Everything that is at rest, as bytes. */
  readonly dump?: (store: ConnectionStore) => MaybePromise<Buffer>
}

const USER = 'user_1'
const OTHER_USER = 'user_2'
const HOSTILE = [
  '__proto__',
  `it's "quoted"; DROP TABLE connections; --`,
  'é語😀 \u202eabc',
  'a\nb',
  '? $1 %s',
]
const STATUSES: readonly ConnectionStatus[] = [
  'pending',
  'active',
  'expired',
  'failed',
  'revoked',
  'disconnected',
]

const row = (id: string, more: Partial<ConnectionRow> = {}): Omit<ConnectionRow, 'isDefault'> => {
  const { isDefault: _, ...rest } = more
  return {
    id,
    userId: USER,
    connector: 'local',
    toolkit: 'notes',
    status: 'pending',
    label: '',
    createdAt: 1_000,
    updatedAt: 1_000,
    ...rest,
  }
}
const flow = (stateHash: string, more: Partial<SignInFlow> = {}): SignInFlow => ({
  stateHash,
  connectionId: 'connection_1',
  userId: USER,
  browserHash: 'browser',
  redirectUri: 'http://127.0.0.1:8787/oauth/callback',
  createdAt: 1_000,
  expiresAt: 601_000,
  ...more,
})
const idsOf = (rows: readonly ConnectionRow[]) => rows.map(({ id }) => id)
const defaultsOf = (rows: readonly ConnectionRow[]) => idsOf(rows.filter(({ isDefault }) => isDefault))
/** What it throws, at once or later. */
const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work()
  } catch (error) {
    return error
  }
  return undefined
}

/** What every store of connections promises. `create` gives a fresh, empty one. */
export function testConnectionStore(
  name: string,
  create: () => MaybePromise<ConnectionStore>,
  { reopen, tamper, swap, dump }: ConnectionStoreSuiteOptions = {},
): void {
  describe(`${name} as a store of connections`, () => {
    describe('its connections', () => {
      it('are kept as they were made', async () => {
        const store = await create()
        const made = await store.create(row('connection_1', { label: 'Ada', reason: 'waits' }))
        expect(made).toEqual({ ...row('connection_1', { label: 'Ada', reason: 'waits' }), isDefault: true })
        expect(await store.get('connection_1')).toEqual(made)
        expect(await store.get('connection_2')).toBeUndefined()
      })

      it('have ids of their own, whoever they belong to', async () => {
        const store = await create()
        await store.create(row('connection_1'))
        const error = await thrownBy(() => store.create(row('connection_1', { userId: OTHER_USER })))
        expect(error).toBeInstanceOf(StoreError)
        expect(error).toMatchObject({ kind: 'invalid' })
        expect(await store.get('connection_1')).toMatchObject({ userId: USER })
        expect(await store.list(OTHER_USER)).toEqual([])
      })

      it('are listed oldest first, for their user alone, without the disconnected', async () => {
        const store = await create()
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

      it('that wait for a sign-in are found, whoever they belong to', async () => {
        const store = await create()
        await store.create(row('connection_1'))
        await store.create(row('connection_2', { status: 'active' }))
        await store.create(row('connection_3', { userId: OTHER_USER }))
        await store.create(row('connection_4'))
        await store.change('connection_4', { status: 'failed', updatedAt: 2_000 }, ['pending'])
        expect(idsOf(await store.pending())).toEqual(['connection_1', 'connection_3'])
      })

      it('cannot be edited through what was given or handed out', async () => {
        const store = await create()
        const given = row('connection_1')
        await store.create(given)
        for (const held of [given, (await store.get('connection_1'))!, ...(await store.list(USER))]) {
          try {
            Object.assign(held, { status: 'active' })
          } catch {
            // Frozen is fine, too.
          }
        }
        expect(await store.get('connection_1')).toMatchObject({ status: 'pending' })
      })

      it.each(HOSTILE)('are kept under names like %j', async (text) => {
        const store = await create()
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

    describe('a change', () => {
      it.each(STATUSES)(
        'is made from the statuses that are named, and from %j only if it is',
        async (status) => {
          const store = await create()
          await store.create(row('connection_1', { status }))
          const others = STATUSES.filter((other) => other !== status)
          const change = { status: 'active', label: 'Ada', updatedAt: 2_000 } as const
          expect(await store.change('connection_1', change, others)).toBeUndefined()
          expect(await store.change('connection_1', change, [])).toBeUndefined()
          expect(await store.get('connection_1')).toMatchObject({ status, label: '', updatedAt: 1_000 })
          const changed = await store.change('connection_1', change, [status])
          expect(changed).toMatchObject(change)
          expect(await store.get('connection_1')).toEqual(changed)
        },
      )

      it('leaves alone what it does not name, and takes away a reason that is undefined', async () => {
        const store = await create()
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

      it('is won by one of two who settle at once', async () => {
        const store = await create()
        await store.create(row('connection_1'))
        const settle = async (status: ConnectionStatus) =>
          store.change('connection_1', { status, updatedAt: 2_000 }, ['pending'])
        const settled = await Promise.all([settle('active'), settle('failed'), settle('active')])
        const winners = settled.filter((won) => won !== undefined)
        expect(winners.length).toBe(1)
        expect(await store.get('connection_1')).toEqual(winners[0])
      })

      it('of a connection that is not there changes nothing', async () => {
        const store = await create()
        const changed = await store.change('connection_1', { status: 'active', updatedAt: 1 }, STATUSES)
        expect(changed).toBeUndefined()
        expect(await store.get('connection_1')).toBeUndefined()
      })
    })

    describe('the default', () => {
      it('is the first of its toolkit and user', async () => {
        const store = await create()
        await store.create(row('connection_1'))
        await store.create(row('connection_2'))
        await store.create(row('connection_3', { toolkit: 'mail' }))
        await store.create(row('connection_4', { userId: OTHER_USER }))
        expect(defaultsOf(await store.list(USER))).toEqual(['connection_1', 'connection_3'])
        expect(defaultsOf(await store.list(OTHER_USER))).toEqual(['connection_4'])
      })

      it('is whichever the user makes it, one for each toolkit', async () => {
        const store = await create()
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

      it('passes to the oldest that is left when it is disconnected', async () => {
        const store = await create()
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

    describe('a default that cannot be used', () => {
      const settle = async (store: ConnectionStore, id: string, status: ConnectionStatus) =>
        store.change(id, { status, updatedAt: 2_000 }, STATUSES)

      it('gives way to the first that can be', async () => {
        const store = await create()
        for (const id of ['connection_1', 'connection_2', 'connection_3']) await store.create(row(id))
        await store.create(row('connection_4', { toolkit: 'mail' }))
        await settle(store, 'connection_1', 'failed')
        expect(defaultsOf(await store.list(USER))).toEqual(['connection_1', 'connection_4'])
        expect(await settle(store, 'connection_2', 'active')).toMatchObject({ isDefault: true })
        expect(await settle(store, 'connection_3', 'active')).toMatchObject({ isDefault: false })
        expect(await settle(store, 'connection_1', 'active')).toMatchObject({ isDefault: false })
        expect(defaultsOf(await store.list(USER))).toEqual(['connection_2', 'connection_4'])
      })

      it('stays it while nothing else becomes active, so that it is it again when it is mended', async () => {
        const store = await create()
        await store.create(row('connection_1', { status: 'active' }))
        await store.create(row('connection_2', { status: 'active' }))
        await settle(store, 'connection_1', 'expired')
        await settle(store, 'connection_1', 'active')
        expect(defaultsOf(await store.list(USER))).toEqual(['connection_1'])
      })

      it('is not made of one that cannot be used while there is one that can', async () => {
        const store = await create()
        await store.create(row('connection_1', { status: 'active' }))
        await store.create(row('connection_2', { status: 'expired', createdAt: 2_000 }))
        await store.create(row('connection_3', { status: 'active', createdAt: 3_000 }))
        await settle(store, 'connection_1', 'disconnected')
        expect(defaultsOf(await store.list(USER))).toEqual(['connection_3'])
      })
    })

    describe('a sign-in that was begun', () => {
      it('is taken once', async () => {
        const store = await create()
        await store.openFlow(flow('hash_1'))
        await store.openFlow(flow('hash_2', { userId: OTHER_USER, connectionId: 'connection_2' }))
        expect(await store.takeFlow('hash_1', 2_000)).toEqual(flow('hash_1'))
        expect(await store.takeFlow('hash_1', 2_000)).toBeUndefined()
        expect(await store.takeFlow('hash_2', 2_000)).toMatchObject({ userId: OTHER_USER })
        expect(await store.takeFlow('', 2_000)).toBeUndefined()
      })

      it('is taken by one of several who come at once', async () => {
        const store = await create()
        await store.openFlow(flow('hash_1'))
        const taken = await Promise.all(
          Array.from({ length: 5 }, async () => store.takeFlow('hash_1', 2_000)),
        )
        expect(taken.filter((one) => one !== undefined)).toEqual([flow('hash_1')])
      })

      it('is over when its time is, and is gone then', async () => {
        const store = await create()
        await store.openFlow(flow('hash_1', { expiresAt: 5_000 }))
        await store.openFlow(flow('hash_2', { expiresAt: 5_000, connectionId: 'connection_2' }))
        expect(await store.takeFlow('hash_1', 5_000)).toBeUndefined()
        expect(await store.takeFlow('hash_1', 4_000)).toBeUndefined()
        expect(await store.takeFlow('hash_2', 4_999)).toMatchObject({ stateHash: 'hash_2' })
      })

      it('gives way to a newer one for the same connection', async () => {
        const store = await create()
        await store.openFlow(flow('hash_1'))
        await store.openFlow(flow('hash_2'))
        expect(await store.takeFlow('hash_1', 2_000)).toBeUndefined()
        expect(await store.takeFlow('hash_2', 2_000)).toMatchObject({ stateHash: 'hash_2' })
      })

      it('cannot be begun again by another under the same state', async () => {
        const store = await create()
        await store.openFlow(flow('hash_1'))
        const error = await thrownBy(() => store.openFlow(flow('hash_1', { userId: OTHER_USER })))
        expect(error).toMatchObject({ kind: 'invalid' })
        expect(await store.takeFlow('hash_1', 2_000)).toMatchObject({ userId: USER })
      })
    })

    describe('its scopes', () => {
      it('are read and write until the user says otherwise, for one toolkit of one user', async () => {
        const store = await create()
        const usual = { read: true, write: true, admin: false }
        expect(await store.scopes(USER, 'notes')).toEqual(usual)
        await store.setScopes(USER, 'notes', { read: true, write: false, admin: true })
        await store.setScopes(USER, 'notes', { read: false, write: false, admin: true })
        expect(await store.scopes(USER, 'notes')).toEqual({ read: false, write: false, admin: true })
        expect(await store.scopes(USER, 'mail')).toEqual(usual)
        expect(await store.scopes(OTHER_USER, 'notes')).toEqual(usual)
      })
    })

    describe('the actions a person has seen', () => {
      it('are remembered for their connection, each with its last digest', async () => {
        const store = await create()
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

    describe('its vault', () => {
      const SECRET = { token: 'sk-é語😀', nested: { expiresAt: 5, list: [1, null, true] }, empty: '' }

      it('gives back what was put into it, to its connection alone', async () => {
        const { vault } = await create()
        expect(await vault.read('connection_1')).toBeUndefined()
        await vault.write('connection_1', { token: 'first' })
        await vault.write('connection_1', SECRET)
        await vault.write('connection_2', { token: 'other' })
        expect(await vault.read('connection_1')).toEqual(SECRET)
        expect(await vault.read('connection_2')).toEqual({ token: 'other' })
      })

      it('forgets what is deleted, and does not mind what is not there', async () => {
        const { vault } = await create()
        await vault.write('connection_1', SECRET)
        await vault.delete('connection_1')
        await vault.delete('connection_1')
        expect(await vault.read('connection_1')).toBeUndefined()
      })

      it('keeps a large secret', async () => {
        const { vault } = await create()
        const token = 'é語😀'.repeat(50_000)
        await vault.write('connection_1', { token })
        expect((await vault.read('connection_1'))!['token'] === token).toBe(true)
      })

      it('cannot be edited through what was given or handed out', async () => {
        const { vault } = await create()
        const given = { token: 'good', nested: { deep: 'good' } }
        await vault.write('connection_1', given)
        given.nested.deep = 'bad'
        Object.assign((await vault.read('connection_1'))!, { token: 'bad' })
        expect(await vault.read('connection_1')).toEqual({ token: 'good', nested: { deep: 'good' } })
      })

      it.runIf(tamper)('notices a secret that is not what was written, and does not show it', async () => {
        const store = await create()
        await store.vault.write('connection_1', { token: 'sk-very-secret' })
        await tamper!(store, 'connection_1')
        const error = await thrownBy(() => store.vault.read('connection_1'))
        expect(error).toBeInstanceOf(StoreError)
        expect(error).toMatchObject({ kind: 'damaged' })
        expect(String(error)).not.toContain('sk-very-secret')
      })

      it.runIf(swap)('notices a secret that is passed off as another connection’s', async () => {
        const store = await create()
        await store.vault.write('connection_1', { token: 'one' })
        await store.vault.write('connection_2', { token: 'two' })
        await swap!(store, 'connection_1', 'connection_2')
        expect(await thrownBy(() => store.vault.read('connection_2'))).toMatchObject({ kind: 'damaged' })
      })

      it.runIf(dump)('leaves nothing readable at rest, of secrets or of states', async () => {
        const store = await create()
        await store.vault.write('connection_1', { token: 'sk-very-secret' })
        await store.vault.write('connection_1', { token: 'sk-even-more-secret' })
        const bytes = await dump!(store)
        expect(bytes.length).toBeGreaterThan(0)
        for (const secret of ['sk-very-secret', 'sk-even-more-secret']) {
          expect(bytes.includes(secret)).toBe(false)
          expect(bytes.includes(Buffer.from(secret).toString('base64').replace(/=+$/, ''))).toBe(false)
        }
      })
    })

    it.runIf(reopen)('is the same when it was closed and opened again', async () => {
      const store = await create()
      await store.create(row('connection_1', { label: 'Ada' }))
      await store.openFlow(flow('hash_1'))
      await store.setScopes(USER, 'notes', { read: true, write: false, admin: false })
      await store.rememberActions('connection_1', new Map([['list', 'digest']]))
      await store.vault.write('connection_1', { token: 'kept' })
      const again = await reopen!(store)
      expect(await again.get('connection_1')).toMatchObject({ label: 'Ada', isDefault: true })
      expect(await again.takeFlow('hash_1', 2_000)).toEqual(flow('hash_1'))
      expect(await again.scopes(USER, 'notes')).toMatchObject({ write: false })
      expect(await again.knownActions('connection_1')).toEqual(new Map([['list', 'digest']]))
      expect(await again.vault.read('connection_1')).toEqual({ token: 'kept' })
    })
  })
}
