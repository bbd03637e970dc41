import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { lock, unlock } from './secret-lock.ts'

const KEY = createSecretKey(Buffer.alloc(32, 1))
const OTHER_KEY = createSecretKey(Buffer.alloc(32, 2))

it.each(['', 'a', 'é語😀', 'long '.repeat(10_000)])('unlock returns the text that was locked', (text) => {
  expect(unlock(KEY, ['id'], lock(KEY, ['id'], text))).toBe(text)
})

it('unlock refuses another key and another subject', () => {
  const locked = lock(KEY, ['ab', 'c'], 'text')
  expect(unlock(OTHER_KEY, ['ab', 'c'], locked)).toBeUndefined()
  expect(unlock(KEY, ['a', 'bc'], locked)).toBeUndefined()
  expect(unlock(KEY, ['ab', 'c', null], locked)).toBeUndefined()
})

it('unlock refuses an unknown format', () => {
  const locked = Uint8Array.from(lock(KEY, ['id'], 'text'))
  locked[0] = 2
  expect(unlock(KEY, ['id'], locked)).toBeUndefined()
  expect(unlock(KEY, ['id'], new Uint8Array(0))).toBeUndefined()
})

it('lock never uses the same nonce twice', () => {
  const nonces = Array.from({ length: 1_000 }, () =>
    Buffer.from(lock(KEY, ['id'], 'text').subarray(1, 13)).toString('hex'),
  )
  expect(new Set(nonces).size).toBe(1_000)
})
