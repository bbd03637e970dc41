import { expect, it } from 'vitest'
import { testConnectionStore } from '../../testing/connection-store-suite.ts'
import { createMemoryConnectionStore } from './memory-connection-store.ts'

testConnectionStore('memory', () => createMemoryConnectionStore())

it('two memory stores share nothing', async () => {
  await createMemoryConnectionStore().vault.write('connection_1', { token: 'x' })
  expect(await createMemoryConnectionStore().vault.read('connection_1')).toBeUndefined()
})
