import { expect, it } from 'vitest'
import { testArtifactStore } from '../../testing/artifact-store-suite.ts'
import { createMemoryArtifacts } from './memory-artifacts.ts'

testArtifactStore('memory', () => createMemoryArtifacts())

const NAME = { threadId: 'thread_1', callId: 'call_1', tool: 'shell' }
const RANGE = { offset: 0, maxBytes: 10 }

it('memory artifacts drop the oldest when they need space', async () => {
  const store = createMemoryArtifacts({ maxBytes: 300_000 })
  const ids: string[] = []
  for (const letter of ['a', 'b', 'c']) {
    const writer = store.create(NAME)
    await writer.write(letter.repeat(120_000))
    ids.push((await writer.close()).id)
  }
  expect(await store.read('thread_1', ids[0]!, RANGE)).toBeUndefined()
  expect((await store.read('thread_1', ids[1]!, RANGE))?.text).toBe('b'.repeat(10))
  expect((await store.read('thread_1', ids[2]!, RANGE))?.text).toBe('c'.repeat(10))
})

it('memory artifacts refuse a text larger than the limit, and free what they held of it', async () => {
  const store = createMemoryArtifacts({ maxBytes: 200_000 })
  const large = store.create(NAME)
  expect(() => large.write('x'.repeat(400_000))).toThrow('no space')
  await large.discard()
  const writer = store.create(NAME)
  await writer.write('y'.repeat(190_000))
  const { id } = await writer.close()
  expect((await store.read('thread_1', id, RANGE))?.bytes).toBe(190_000)
})
