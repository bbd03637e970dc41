import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSeal } from '../approvals/seal-file.ts'
import { openConnection } from '../database/connection.ts'
import { runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { createJournal } from '../ledger/journal.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { openChain } from './chain.ts'
import { verifyChain } from './verify-chain.ts'

const createFolder = useStoreFolders()
const HOLD = { at: 9, userId: USER, action: 'hold' } as const

it('a page of a transaction that was undone leaves no trace in the chain', async () => {
  const folder = await createFolder()
  await openEmbeddedStore({ folder }).close()
  const connection = openConnection(join(folder, 'capstan.db'))
  const { seal } = openSeal(folder)
  const journal = createJournal(connection, openChain(connection, seal, { isKeyNew: false, now: () => 0 }))
  connection.transaction(() => journal.appendAudit([HOLD]))
  expect(() =>
    connection.transaction(() => {
      journal.appendAudit([HOLD])
      throw new Error('full')
    }),
  ).toThrow('full')
  expect(connection.transaction(() => journal.appendAudit([HOLD])).id).toBe(2)
  expect(verifyChain(connection, seal)).toEqual({ ok: true, rows: 2, first: 1, problems: [] })
  connection.close()
})

it('an end that another program removed while the store was open is reported', async () => {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.threads.create({ id: THREAD, userId: USER, title: 'Boats', at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?')])
  await store.audit.record(HOLD)
  const other = openConnection(join(folder, 'capstan.db'))
  other.db.exec('DELETE FROM journal WHERE id = 2')
  other.close()
  await store.audit.record({ ...HOLD, action: 'release' })
  const { ok, problems } = await store.audit.verify()
  await store.close()
  expect(ok).toBe(false)
  expect(problems.map(({ kind }) => kind)).toContain('reported')
})
