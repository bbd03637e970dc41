import { describe, expect, it } from 'vitest'
import type { Locks } from '../ports/locks.ts'

/** The contract suite of `Locks`. `create` returns the locks of two callers who share them. */
export function testLocks(name: string, create: () => Promise<readonly [Locks, Locks]>): void {
  const LIMIT = { limitMs: 20_000 }

  describe(`${name} as locks`, () => {
    it('lets one caller at a time work under a name', async () => {
      const both = await create()
      let inside = 0
      let most = 0
      const work = async () => {
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setTimeout(resolve, 2))
        inside--
      }
      await Promise.all(
        both.flatMap((locks) => Array.from({ length: 10 }, () => locks.withLock('a', work, LIMIT))),
      )
      expect(most).toBe(1)
    })

    it('lets callers work under different names at the same time', async () => {
      const [one, other] = await create()
      const { promise, resolve } = Promise.withResolvers<void>()
      const held = one.withLock('a', () => promise, LIMIT)
      expect(await other.withLock('b', async () => 'done', LIMIT)).toBe('done')
      resolve()
      await held
    })

    it('frees the name after a failure, which reaches the caller', async () => {
      const [one, other] = await create()
      const failing = one.withLock('a', () => Promise.reject(new Error('no')), LIMIT)
      await expect(failing).rejects.toThrow('no')
      expect(await other.withLock('a', async () => 'done', LIMIT)).toBe('done')
    })

    it('refuses a caller whose time is over, and keeps those behind it waiting', async () => {
      const [one, other] = await create()
      const { promise, resolve } = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const order: string[] = []
      const held = one.withLock(
        'a',
        async () => {
          begun.resolve()
          await promise
          order.push('first')
        },
        LIMIT,
      )
      await begun.promise
      const late = other.withLock('a', async () => order.push('late'), { limitMs: 1 })
      const last = other.withLock('a', async () => order.push('last'), LIMIT)
      await expect(late).rejects.toMatchObject({ name: 'StoreError', kind: 'locked' })
      resolve()
      await Promise.all([held, last])
      expect(order).toEqual(['first', 'last'])
    })
  })
}
