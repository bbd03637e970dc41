import { join } from 'node:path'
import { createThreads } from '@capstan/harness'
import { says, ScriptedModel } from '@capstan/harness/testing'
import { expect, it } from 'vitest'
import { checksum } from '../database/checksum.ts'
import { openConnection } from '../database/connection.ts'
import { notice, RUN, runEnd, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { HOLDS_WORDS, toBody } from '../../shared/ledger/page-body.ts'
import { openEmbeddedStore } from '../open-store.ts'

const createFolder = useStoreFolders()

/** A folder whose last page was written before `surface-announced` and `run.setup` had these names. */
async function createOldFolder(): Promise<string> {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [
    { type: 'conversation-open', at: 1, conversationId: THREAD, agent: 'orchestrator', system: 'Be brief.' },
    runStart('Where is the harbour?', { setup: { app: 'maps' } }),
    {
      type: 'message',
      at: 1,
      runId: RUN,
      message: { role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
    },
    { type: 'surface-announced', at: 1, conversationId: THREAD, announced: ['maps is connected'] },
    notice(1),
    runEnd('Behind the lighthouse.'),
  ])
  await store.close()
  const connection = openConnection(join(folder, 'capstan.db'))
  const { body } = connection.db.prepare('SELECT body FROM journal').get() as { body: string }
  const old = body
    .replace('"surface-announced"', '"surface-told"')
    .replace('"announced":', '"told":')
    .replace('"setup":', '"intake":')
  expect(old).not.toBe(body)
  const sum = checksum(old, 1 + 1 + 1 + HOLDS_WORDS)
  connection.db
    .prepare('UPDATE journal SET last_seq = 1, kinds = ?, body = ?, sum = ?')
    .run(HOLDS_WORDS, old, sum)
  connection.close()
  return folder
}

it('a thread with records of an earlier version reads as if this version had written them', async () => {
  const store = openEmbeddedStore({ folder: await createOldFolder() })
  const records = await store.ledger.read(THREAD)
  expect(records).toContainEqual({
    type: 'surface-announced',
    at: 1,
    conversationId: THREAD,
    announced: ['maps is connected'],
  })
  expect(records).toContainEqual(runStart('Where is the harbour?', { setup: { app: 'maps' } }))
  expect(toBody(records)).not.toMatch(/surface-told|"told"|"intake"/)
  await store.close()
})

it('a thread with records of an earlier version is restored, and goes on', async () => {
  const store = openEmbeddedStore({ folder: await createOldFolder() })
  const model = new ScriptedModel(says('Still there.'))
  const threads = createThreads({ store, agent: { model, origin: 'web' }, userId: USER })
  const session = await threads.open(THREAD)
  await session.send('And now?')
  const { system, messages } = model.request(0)
  expect(system).toBe('Be brief.')
  expect(messages.map(({ role }) => role)).toEqual(['user', 'user'])
  await store.close()
})
