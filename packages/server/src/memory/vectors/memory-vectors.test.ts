import { fromAiSdkEmbedding } from '@capstan/harness/models'
import { ModelError } from '@capstan/harness'
import { CONFIDENT_SCORE } from '@capstan/harness/stores'
import type { JobRow, MemoryItem } from '@capstan/harness/stores'
import { createTestClock } from '@capstan/harness/testing'
import { expect, it, vi } from 'vitest'
import { createFolder, openWorld } from '../../sessions/assistant.fixture.ts'
import type { World } from '../../sessions/assistant.fixture.ts'
import { createFakeEmbedder } from './fake-embedder.fixture.ts'

const USER = 'local'
const item = (id: string, text: string): MemoryItem => ({
  id,
  app: 'notes',
  externalId: id,
  at: 0,
  title: `Note ${id}`,
  text,
  people: [],
  seenAt: 0,
})

const FILLER = Array.from({ length: 30 }, (_none, n) =>
  item(`filler${n}`, `Shelf ${n} holds pots, ropes and paint number ${n}.`),
)
const ITEMS = [item('boiler', 'The boiler and the radiator were repaired.'), ...FILLER]

const jobOf = async ({ assistant }: World): Promise<JobRow | undefined> => assistant.jobs.get(USER, 'vectors')

const countOf = ({ assistant }: World, model = 'test/fake') =>
  assistant.store.memory.vectors.count(USER, model)

const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 10 })

/** All items have vectors, and the job waits for the next ones. */
const untilDone = (world: World, model?: string) =>
  until(async () => {
    expect((await countOf(world, model)).missing).toBe(0)
    expect((await jobOf(world))?.status).toBe('waiting')
  })

const openWith = (fake: ReturnType<typeof createFakeEmbedder>, options = {}) =>
  openWorld({ embedder: fromAiSdkEmbedding(fake.model, { price: 2 }), ...options })

it('without an embedding model nothing is embedded, and there is no job', async () => {
  const world = await openWorld()
  await world.assistant.store.memory.put(USER, ITEMS)
  const { length } = await world.assistant.store.memory.search(USER, { words: 'boiler' })
  expect(length).toBeGreaterThan(0)
  expect(await jobOf(world)).toBeUndefined()
  expect(world.assistant.readSettings(USER)).not.toHaveProperty('embeddingInUse')
})

it('what comes into memory is embedded in the background, and found in other words', async () => {
  const fake = createFakeEmbedder()
  const world = await openWith(fake)
  const { memory } = world.assistant.store
  await memory.put(USER, ITEMS)
  await untilDone(world)
  const [hit] = await memory.search(USER, { words: 'too cold in here' })
  expect(hit?.item.id).toBe('boiler')
  expect(hit?.score).toBeLessThan(CONFIDENT_SCORE)
  expect(fake.asked.at(-1)).toEqual(['too cold in here'])
  expect(Math.max(...fake.asked.map(({ length }) => length))).toBeLessThanOrEqual(8)

  const before = fake.asked.length
  await memory.put(USER, [{ ...ITEMS[0]!, version: '2' }])
  await memory.put(USER, [item('dog', 'The puppy is at the vet.')])
  await untilDone(world)
  const after = fake.asked.slice(before).flat()
  expect(after).toEqual(['Note dog\nThe puppy is at the vet.'])
  expect((await memory.search(USER, { words: 'my pet' }))[0]?.item.id).toBe('dog')

  await memory.remove(USER, ['dog'])
  const found = await memory.search(USER, { words: 'my pet' })
  expect(found.map((one) => one.item.id)).not.toContain('dog')
})

it('what it costs counts as spending, also after a restart', async () => {
  const folder = await createFolder()
  const fake = createFakeEmbedder()
  const world = await openWith(fake, { folder })
  await world.assistant.store.memory.put(USER, ITEMS)
  await untilDone(world)
  const tokens = fake.asked.flat().length * 10
  const usage = await world.assistant.store.runs.usage({ userId: USER })
  expect(usage).toMatchObject([
    { model: 'test/fake', usage: { inputTokens: tokens, estimatedUsd: expect.closeTo((tokens * 2) / 1e6) } },
  ])
  expect(world.assistant.allowanceOf(USER).spent('day').tokens).toBe(tokens)
  await world.assistant.stop({ graceMs: 0 })
  const again = await openWith(createFakeEmbedder(), { folder })
  await again.assistant.allowanceOf(USER).ready()
  expect(again.assistant.allowanceOf(USER).spent('day').tokens).toBe(tokens)
})

it('a start goes on where the last process ended, and embeds nothing twice', async () => {
  const folder = await createFolder()
  const first = createFakeEmbedder()
  const reached = Promise.withResolvers<void>()
  first.set((_values, signal) => {
    if (first.asked.length < 4) return undefined
    reached.resolve()
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  const world = await openWith(first, { folder })
  await world.assistant.store.memory.put(USER, ITEMS)
  await reached.promise
  const done = (await countOf(world)).done
  expect(done).toBe(16)
  await world.assistant.stop({ graceMs: 0 })

  const second = createFakeEmbedder()
  const again = await openWith(second, { folder })
  await untilDone(again)
  expect(second.asked.flat()).toHaveLength(ITEMS.length - done)
})

it('another model, or other dimensions, makes all vectors anew', async () => {
  const folder = await createFolder()
  const worldOf = async (modelId: string, dimensions?: number) => {
    const world = await openWith(createFakeEmbedder(modelId, dimensions), { folder })
    await world.assistant.store.memory.put(USER, [item('boiler', 'The boiler works.'), ...FILLER])
    return world
  }
  const first = await worldOf('fake')
  await untilDone(first)
  await first.assistant.stop({ graceMs: 0 })

  const second = await worldOf('other')
  await untilDone(second, 'test/other')
  expect((await countOf(second)).done).toBe(0)
  await second.assistant.stop({ graceMs: 0 })

  const third = await worldOf('other', 32)
  await third.assistant.store.memory.put(USER, [item('dog', 'The puppy is at the vet.')])
  await until(async () => expect((await countOf(third, 'test/other')).missing).toBe(0))
  const { memory } = third.assistant.store
  await until(async () =>
    expect((await memory.search(USER, { words: 'too cold in here' }))[0]?.item.id).toBe('boiler'),
  )
})

it('a failing model leaves the search by words as it is, and is tried again', async () => {
  const fake = createFakeEmbedder()
  fake.set(() => {
    throw new ModelError('down', { kind: 'network', model: 'test/fake', retryable: true })
  })
  const world = await openWith(fake)
  const { memory } = world.assistant.store
  await memory.put(USER, ITEMS)
  await until(async () => expect((await jobOf(world))?.lastFailure).toBeDefined())
  const [hit] = await memory.search(USER, { words: 'boiler radiator' })
  expect(hit?.item.id).toBe('boiler')
  expect(await jobOf(world)).toMatchObject({ status: 'waiting', attempts: 1 })

  fake.set(undefined)
  await world.assistant.jobs.runNow(USER, 'vectors')
  await untilDone(world)
})

it('an item that the model refuses stops no other', async () => {
  const fake = createFakeEmbedder()
  fake.set((values) => {
    if (values.some((value) => value.includes('poison')))
      throw new ModelError('refused', { kind: 'http', httpStatus: 400, model: 'test/fake', retryable: false })
  })
  const world = await openWith(fake)
  await world.assistant.store.memory.put(USER, [...ITEMS, item('bad', 'poison')])
  await untilDone(world)
  expect((await jobOf(world))?.lastFailure).toBeUndefined()
  const [hit] = await world.assistant.store.memory.search(USER, { words: 'too cold in here' })
  expect(hit?.item.id).toBe('boiler')
})

it('a query whose vector does not come in time is answered by words, and the next ones do not wait', async () => {
  const fake = createFakeEmbedder()
  const clock = createTestClock()
  const world = await openWith(fake, { clock })
  const { memory } = world.assistant.store
  await memory.put(USER, ITEMS)
  await until(async () => {
    await clock.advance(1_000)
    expect((await countOf(world)).missing).toBe(0)
  })
  const asked = Promise.withResolvers<void>()
  fake.set(() => {
    asked.resolve()
    return new Promise(() => {})
  })
  const search = memory.search(USER, { words: 'boiler radiator' })
  await asked.promise
  await clock.advance(1_500)
  expect((await search)[0]?.item.id).toBe('boiler')
  const before = fake.asked.length
  expect((await memory.search(USER, { words: 'pots and ropes' })).length).toBeGreaterThan(0)
  expect(fake.asked).toHaveLength(before)
  expect(world.problems).toEqual([
    expect.objectContaining({ message: expect.stringContaining('words alone') }),
  ])
})

it('a model is set by its name, checked at once, and its change is in the audit log', async () => {
  const world = await openWorld()
  const { assistant } = world
  await expect(assistant.changeSettings(USER, { embeddingModel: 'anthropic/claude' })).rejects.toMatchObject({
    field: 'embeddingModel',
  })
  await expect(
    assistant.changeSettings(USER, { embeddingModel: 'openai/text-embedding-3-small' }),
  ).rejects.toMatchObject({ field: 'embeddingModel' })
  const changed = await assistant.changeSettings(USER, { embeddingModel: 'ollama/nomic-embed-text' })
  expect(changed).toMatchObject({
    embeddingModel: 'ollama/nomic-embed-text',
    embeddingInUse: { name: 'ollama/nomic-embed-text', from: 'settings' },
  })
  const lines = await assistant.store.audit.read()
  expect(lines.at(-1)).toMatchObject({ subject: 'embeddingModel', facts: { to: 'ollama/nomic-embed-text' } })
  expect(await assistant.changeSettings(USER, { embeddingModel: '' })).not.toHaveProperty('embeddingInUse')
})
