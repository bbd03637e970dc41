import { Allowance, quietClock } from '@capstan/harness/seams'
import { fromAiSdkEmbedding } from '@capstan/harness/models'
import { createMemoryStore } from '@capstan/harness/stores'
import { expect, it } from 'vitest'
import { createFakeEmbedder } from './fake-embedder.fixture.ts'
import { createQueryVectors } from './query-vectors.ts'

it('the key of one user that fails leaves the searches of the others as they are', async () => {
  const broken = createFakeEmbedder()
  broken.set(() => {
    throw new Error('wrong key')
  })
  const embedders = { ana: broken, ben: createFakeEmbedder() }
  const { memory } = createMemoryStore()
  const allowance = new Allowance({
    limits: () => ({}),
    clock: quietClock,
    load: () => ({ usd: 0, tokens: 0 }),
  })
  const toQueryVector = createQueryVectors({
    vectors: { ...memory.vectors, count: () => ({ done: 1, missing: 0 }) },
    runs: { recordUsage: () => {} },
    embedderOf: (userId) => fromAiSdkEmbedding(embedders[userId as 'ana' | 'ben'].model, { price: 2 }),
    allowanceOf: () => allowance,
    clock: quietClock,
    onProblem() {},
  })
  expect(await toQueryVector('ana', 'too cold')).toBeUndefined()
  expect(await toQueryVector('ben', 'too cold')).toBeDefined()
})
