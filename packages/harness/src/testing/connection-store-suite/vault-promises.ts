import { describe, expect, it } from 'vitest'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import { StoreError } from '../../turn/errors.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { ConnectionStoreSuiteOptions } from '../connection-store-suite.ts'
import { thrownBy } from './rows.ts'

/** Tests the vault. */
export function testVault(
  open: () => MaybePromise<ConnectionStore>,
  { tamper, swap, dump }: ConnectionStoreSuiteOptions,
): void {
  describe('its vault', () => {
    const SECRET = { token: 'sk-é語😀', nested: { expiresAt: 5, list: [1, null, true] }, empty: '' }

    it('returns a secret for its connection only', async () => {
      const { vault } = await open()
      expect(await vault.read('connection_1')).toBeUndefined()
      await vault.write('connection_1', { token: 'first' })
      await vault.write('connection_1', SECRET)
      await vault.write('connection_2', { token: 'other' })
      expect(await vault.read('connection_1')).toEqual(SECRET)
      expect(await vault.read('connection_2')).toEqual({ token: 'other' })
    })

    it('deletes a secret, and ignores a missing one', async () => {
      const { vault } = await open()
      await vault.write('connection_1', SECRET)
      await vault.delete('connection_1')
      await vault.delete('connection_1')
      expect(await vault.read('connection_1')).toBeUndefined()
    })

    it('stores a large secret', async () => {
      const { vault } = await open()
      const token = 'é語😀'.repeat(50_000)
      await vault.write('connection_1', { token })
      expect((await vault.read('connection_1'))!['token'] === token).toBe(true)
    })

    it('cannot be changed through objects passed in or returned', async () => {
      const { vault } = await open()
      const given = { token: 'good', nested: { deep: 'good' } }
      await vault.write('connection_1', given)
      given.nested.deep = 'bad'
      Object.assign((await vault.read('connection_1'))!, { token: 'bad' })
      expect(await vault.read('connection_1')).toEqual({ token: 'good', nested: { deep: 'good' } })
    })

    it.runIf(tamper)('detects a changed secret and does not reveal it', async () => {
      const store = await open()
      await store.vault.write('connection_1', { token: 'sk-very-secret' })
      await tamper!(store, 'connection_1')
      const error = await thrownBy(() => store.vault.read('connection_1'))
      expect(error).toBeInstanceOf(StoreError)
      expect(error).toMatchObject({ kind: 'damaged' })
      expect(String(error)).not.toContain('sk-very-secret')
    })

    it.runIf(swap)('detects a secret that was swapped with another connection’s', async () => {
      const store = await open()
      await store.vault.write('connection_1', { token: 'one' })
      await store.vault.write('connection_2', { token: 'two' })
      await swap!(store, 'connection_1', 'connection_2')
      expect(await thrownBy(() => store.vault.read('connection_2'))).toMatchObject({ kind: 'damaged' })
    })

    it.runIf(dump)('stores no secret in readable form', async () => {
      const store = await open()
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
}
