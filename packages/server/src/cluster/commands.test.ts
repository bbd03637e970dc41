import type { ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { usePostgres } from '../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { createCommands } from './commands.ts'

const postgres = usePostgres()
const THREAD = 'thread_1' as ThreadId
const DONE = { json: '{"value":null}', isRefused: false }

async function open() {
  const store = await postgres.open({ nodeId: 'a' })
  await store.threads.create({ id: THREAD, userId: 'ann', at: 1 })
  const commands = createCommands(store.database, store.texts)
  await commands.add({ threadId: THREAD, id: 'stop_1', userId: 'ann', kind: 'stop', body: {} })
  return { store, commands, claim: async () => (await store.ownership!.claim(THREAD))! }
}

it('a node that has lost the thread begins and answers no command', async () => {
  const { commands, claim } = await open()
  const before = await claim()
  expect(await commands.begin(THREAD, before)).toMatchObject({ id: 'stop_1', attempts: 0 })
  const after = await claim()
  await commands.answer(THREAD, 'stop_1', DONE, before)
  expect(await commands.answerOf(THREAD, 'stop_1')).toBeUndefined()
  expect(await commands.begin(THREAD, before)).toBeUndefined()
  expect(await commands.begin(THREAD, after)).toMatchObject({ id: 'stop_1', attempts: 1 })
  await commands.answer(THREAD, 'stop_1', DONE, after)
  expect(await commands.answerOf(THREAD, 'stop_1')).toBe(DONE.json)
})

it('a command is answered after its thread is gone', async () => {
  const { store, commands, claim } = await open()
  const epoch = await claim()
  await store.threads.delete(THREAD)
  await commands.answer(THREAD, 'stop_1', DONE, epoch)
  expect(await commands.answerOf(THREAD, 'stop_1')).toBe(DONE.json)
})

it('a wake-up for something that happens again is done again, and a stop with the same id is not', async () => {
  const { commands, claim } = await open()
  const epoch = await claim()
  const wake = { threadId: THREAD, id: 'wake sign-in c1', userId: 'ann', kind: 'wake', body: {} } as const
  await commands.add(wake)
  for (const id of ['stop_1', wake.id]) {
    expect(await commands.begin(THREAD, epoch)).toMatchObject({ id })
    await commands.answer(THREAD, id, DONE, epoch)
  }
  await commands.add({ ...wake, id: 'stop_1', kind: 'stop' })
  expect(await commands.hasOpen(THREAD)).toBe(false)
  await commands.add(wake)
  expect(await commands.begin(THREAD, epoch)).toMatchObject({ id: wake.id })
})
