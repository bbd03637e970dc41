import { expect, it } from 'vitest'
import { checkFile } from '../database/check-file.ts'
import { startChild } from '../fixtures/child-process.fixture.ts'
import { openConnection } from '../database/connection.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { RUN, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

it('every commit that a killed process had reported is still there, after each kill', async () => {
  const folder = await createFolder()
  for (const lines of [3, 70, 400, 1500]) {
    const child = await startChild(folder, 'commit')
    const output = await child.killAfter(lines)
    const reported = Number(output.at(-1))

    const store = openEmbeddedStore({ folder })
    const last = await store.ledger.lastSeq(THREAD)
    expect(store.notices).toEqual([])
    expect(last).toBeGreaterThanOrEqual(reported)
    const events = await store.ledger.readEvents(THREAD, 0)
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
    // What follows the journal in batches has caught up, too.
    expect(await store.runs.usage({ userId: USER })).toMatchObject([{ calls: last }])
    expect(await store.runs.calls([RUN])).toHaveLength(last)
    expect(await store.threads.search({ userId: USER, words: 'stopped' })).toHaveLength(1)
    await store.close()
  }
}, 60_000)

it('a killed process leaves a sound file', async () => {
  const folder = await createFolder()
  const child = await startChild(folder, 'commit')
  await child.killAfter(300)
  const connection = openConnection(`${folder}/capstan.db`)
  expect(() => checkFile(connection)).not.toThrow()
  connection.close()
})
