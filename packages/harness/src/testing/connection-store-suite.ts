import { describe, expect, it } from 'vitest'
import type { ConnectionStore } from '../ports/connection-store.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import { testConnections } from './connection-store-suite/connection-promises.ts'
import { testDefaults } from './connection-store-suite/default-promises.ts'
import { testPermissions } from './connection-store-suite/permission-promises.ts'
import { flow, row, USER } from './connection-store-suite/rows.ts'
import { testSignInFlows } from './connection-store-suite/sign-in-promises.ts'
import { testVault } from './connection-store-suite/vault-promises.ts'

/** Abilities that only some stores have. Tests that need a missing one are skipped. */
export interface ConnectionStoreSuiteOptions {
  /** Closes the store and opens it again. For stores that survive a process. */
  readonly reopen?: (store: ConnectionStore) => MaybePromise<ConnectionStore>
  /** Changes one byte of a stored secret without the vault. */
  readonly tamper?: (store: ConnectionStore, connectionId: string) => MaybePromise<void>
  /** Replaces the stored secret of one connection with that of another. */
  readonly swap?: (store: ConnectionStore, from: string, to: string) => MaybePromise<void>
  /** All stored data as bytes. */
  readonly dump?: (store: ConnectionStore) => MaybePromise<Buffer>
}

/** The contract suite of `ConnectionStore`. `create` returns a new, empty store. */
export function testConnectionStore(
  name: string,
  create: () => MaybePromise<ConnectionStore>,
  options: ConnectionStoreSuiteOptions = {},
): void {
  const { reopen } = options
  describe(`${name} as a connection store`, () => {
    testConnections(create)
    testDefaults(create)
    testSignInFlows(create)
    testPermissions(create)
    testVault(create, options)

    it.runIf(reopen)('has all data after it is reopened', async () => {
      const store = await create()
      await store.create(row('connection_1', { label: 'Ada' }))
      await store.openFlow(flow('hash_1'))
      await store.setScopes(USER, 'notes', { read: true, write: false, admin: false })
      await store.rememberActions('connection_1', new Map([['list', 'digest']]))
      await store.setActionEffect(USER, 'notes', 'list', { effect: 'write', digest: 'd' })
      await store.vault.write('connection_1', { token: 'kept' })
      const again = await reopen!(store)
      expect(await again.get('connection_1')).toMatchObject({ label: 'Ada', isDefault: true })
      expect(await again.takeFlow('hash_1', 2_000)).toEqual(flow('hash_1'))
      expect(await again.scopes(USER, 'notes')).toMatchObject({ write: false })
      expect(await again.actionEffects(USER, 'notes')).toEqual(
        new Map([['list', { effect: 'write', digest: 'd' }]]),
      )
      expect(await again.knownActions('connection_1')).toEqual(new Map([['list', 'digest']]))
      expect(await again.vault.read('connection_1')).toEqual({ token: 'kept' })
    })
  })
}
