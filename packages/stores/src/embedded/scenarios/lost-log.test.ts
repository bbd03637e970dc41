import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createThreads } from '@capstan/harness'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'
import { openEmbeddedStore } from '../open-store.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

/** A folder as a kill leaves it: the turn of `first` has ended, and `second` has one that wrote once and goes on. */
async function killInWrite() {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  const writing = Promise.withResolvers<void>()
  const never = new Promise<string>(() => {})
  let writes = 0
  const write = stubTool(
    'write',
    () => {
      if (++writes < 3) return 'written'
      writing.resolve()
      return never
    },
    { effect: 'write' },
  )
  const model = new ScriptedModel(
    calls('write', {}),
    says('One.'),
    calls('write', {}),
    calls('write', { n: 2 }),
  )
  const agent = { model, tools: [write], origin: 'web' as const, safety: { mode: 'full' as const } }
  const threads = createThreads({ store, agent })
  for (const id of ['first', 'second']) await threads.create({ id })
  await (await threads.open('first')).send('Write.')
  await (await threads.open('second')).submit('Write twice.')
  await writing.promise
  const killed = await createFolder()
  for (const name of ['capstan.db', 'capstan.db-wal', 'capstan.db-state', 'capstan.db-reach', 'seal.key'])
    await cp(join(folder, name), join(killed, name))
  await threads.stop({ graceMs: 0 })
  await store.close()
  return killed
}

/** Opens the folder, resumes what can be resumed, and says what ran. */
async function restart(folder: string) {
  const store = openEmbeddedStore({ folder })
  const events = recordEvents()
  let writes = 0
  const write = stubTool('write', () => ++writes, { effect: 'write' })
  const model = new ScriptedModel(calls('write', {}), says('End.'), calls('write', {}), says('End.'))
  const agent = { model, tools: [write], origin: 'web' as const, safety: { mode: 'full' as const } }
  const threads = createThreads({ store, agent, onEvent: events.onEvent })
  const resumed = await threads.resume()
  await threads.idle()
  const unfinished = await store.runs.unfinished()
  await store.close()
  return { notices: store.notices, requests: model.requests, writes, resumed, unfinished }
}

const wal = (folder: string) => join(folder, 'capstan.db-wal')

const DAMAGES: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  deleted: (folder) => rm(wal(folder)),
  cut: async (folder) => truncate(wal(folder), Math.floor((await readFile(wal(folder))).length * 0.6)),
  overwritten: async (folder) => {
    const bytes = await readFile(wal(folder))
    bytes.fill(0x5a, Math.floor(bytes.length / 2))
    await writeFile(wal(folder), bytes)
  },
}

describe('a write-ahead log that was', () => {
  it.each(Object.entries(DAMAGES))('%s is noticed, and no turn is run again', async (_, damage) => {
    const folder = await killInWrite()
    await damage(folder)
    const { notices, requests, writes, resumed, unfinished } = await restart(folder)
    expect(notices).toEqual([expect.stringContaining('are missing')])
    expect({ requests, writes, resumed, unfinished }).toEqual({
      requests: 0,
      writes: 0,
      resumed: { running: 0, waiting: 0 },
      unfinished: [],
    })
    expect((await restart(folder)).notices).toEqual([])
  })

  it('left alone is read, and the turn goes on', async () => {
    const { notices, requests } = await restart(await killInWrite())
    expect(notices).toEqual([])
    expect(requests).toBeGreaterThan(0)
  })
})
