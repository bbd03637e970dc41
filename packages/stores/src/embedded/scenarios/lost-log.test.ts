import { cp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createThreads } from '@capstan/harness'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { openEmbeddedStore } from '../open-store.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

const FILES = [
  'capstan.db',
  'capstan.db-wal',
  'capstan.db-state',
  'capstan.db-reach',
  'capstan.db-sent',
  'seal.key',
]

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
  await (await threads.open('second')).submit('Write twice.', { messageId: 'm1' })
  await writing.promise
  const killed = await createFolder()
  for (const name of FILES) await cp(join(folder, name), join(killed, name))
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

const FRAME_BYTES = 4096 + 24

async function copyOf(folder: string): Promise<string> {
  const copy = await createFolder()
  await cp(folder, copy, { recursive: true })
  return copy
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

  it('cut by one frame that was never synced is noticed', async () => {
    const folder = await createFolder()
    const store = openEmbeddedStore({ folder })
    await store.threads.create({ id: 't' as ThreadId, userId: 'local', at: 1 })
    const killed = await createFolder()
    const before = (await stat(wal(folder))).size
    await store.ledger.commit('t' as ThreadId, [
      { type: 'message-queue', at: 1, id: 'm', mode: 'steer', text: 'x' },
    ])
    await cp(folder, killed, { recursive: true, filter: (from) => !from.endsWith('.lock') })
    await store.close()
    await truncate(wal(killed), before)
    const opened = openEmbeddedStore({ folder: killed })
    expect(opened.notices).toEqual([expect.stringContaining('The last 1 saved steps are missing')])
    await opened.close()
  })

  it('deleted is told again until a process has ended in good order', async () => {
    const folder = await killInWrite()
    await rm(wal(folder))
    const opened = openEmbeddedStore({ folder })
    const killed = await createFolder()
    await cp(folder, killed, { recursive: true, filter: (from) => !from.endsWith('.lock') })
    await opened.close()
    const { notices } = await restart(killed)
    expect(notices).toEqual([expect.stringContaining('are missing')])
    expect((await restart(killed)).notices).toEqual([])
  })

  it('cut does not let a message act twice that is sent again', async () => {
    const folder = await killInWrite()
    const intact = openEmbeddedStore({ folder: await copyOf(folder) })
    const run = await intact.runs.findByMessage('second' as ThreadId, 'm1')
    await intact.close()
    expect(run).toBeDefined()
    const bytes = (await readFile(wal(folder))).length
    // As far as the thread is still there and its turn is not.
    for (let left = bytes; ; left -= FRAME_BYTES) {
      const cut = await copyOf(folder)
      await truncate(wal(cut), left)
      const store = openEmbeddedStore({ folder: cut })
      const found = await store.runs.findByMessage('second' as ThreadId, 'm1')
      const isThere = await store.threads.get('second' as ThreadId)
      await store.close()
      if (!isThere) throw new Error('no cut takes the turn alone')
      if (found?.id === run!.id) continue
      expect(found).toMatchObject({ outcome: { type: 'failed', failure: { class: 'interrupted' } } })
      return
    }
  })

  it('left alone is read, and the turn goes on', async () => {
    const { notices, requests } = await restart(await killInWrite())
    expect(notices).toEqual([])
    expect(requests).toBeGreaterThan(0)
  })
})
