import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { checksum } from '../database/checksum.ts'
import { openConnection } from '../database/connection.ts'
import { iteration, RUN, runEnd, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { openEmbeddedStore } from '../open-store.ts'

const createFolder = useStoreFolders()

/** A store with one turn of three calls. */
async function createFilled(): Promise<string> {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.threads.create({ id: THREAD, userId: USER, title: 'Boats', at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?')])
  for (const n of [1, 2, 3]) await store.ledger.commit(THREAD, iteration(n, `chart ${n}`))
  await store.ledger.commit(THREAD, [runEnd('Behind the lighthouse.')])
  await store.close()
  return folder
}

/** Changes the file as another program would. */
function edit(folder: string, sql: string): void {
  const connection = openConnection(join(folder, 'capstan.db'))
  connection.db.exec(sql)
  connection.close()
}

async function verify(folder: string) {
  const store = openEmbeddedStore({ folder, readOnly: true })
  try {
    return await store.audit.verify()
  } finally {
    await store.close()
  }
}

/** Changes a word of a page and makes its checksum fit again. */
function editBody(folder: string, id: number, from: string, to: string): void {
  const connection = openConnection(join(folder, 'capstan.db'))
  const row = connection.db
    .prepare('SELECT thread, last_seq, kinds, body FROM journal WHERE id = ?')
    .get(id) as Record<'thread' | 'last_seq' | 'kinds', number> & { readonly body: string }
  const body = row.body.replace(from, to)
  expect(body).not.toBe(row.body)
  const sum = checksum(body, id + row.thread + row.last_seq + row.kinds)
  connection.db.prepare('UPDATE journal SET body = ?, sum = ? WHERE id = ?').run(body, sum, id)
  connection.close()
}

/** Changes a page and sets the digest of its old body, as the deletion of a thread would. */
function forge(folder: string, id: number, change: (body: string) => string): void {
  const connection = openConnection(join(folder, 'capstan.db'))
  const row = connection.db
    .prepare('SELECT thread, last_seq, kinds, body FROM journal WHERE id = ?')
    .get(id) as Record<'thread' | 'last_seq' | 'kinds', number> & { readonly body: string }
  const body = change(row.body)
  const sum = checksum(body, id + row.thread + row.last_seq + row.kinds)
  const digest = hash('sha256', row.body, 'buffer')
  connection.db
    .prepare('UPDATE journal SET body = ?, sum = ?, digest = ? WHERE id = ?')
    .run(body, sum, digest, id)
  connection.close()
}

describe('the audit log', () => {
  it('verifies after use, a restart and more use', async () => {
    const folder = await createFilled()
    expect(await verify(folder)).toEqual({ ok: true, rows: 5, first: 1, problems: [] })
    const store = openEmbeddedStore({ folder })
    await store.audit.record({ at: 9, userId: USER, action: 'hold' })
    expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 6 })
    await store.close()
    expect(await verify(folder)).toMatchObject({ ok: true, rows: 6 })
  })

  it('lists calls and changes in their order, without arguments or output', async () => {
    const store = openEmbeddedStore({ folder: await createFilled() })
    await store.audit.record({ at: 9, userId: USER, action: 'setting-change', subject: 'safetyMode' })
    const lines = await store.audit.read()
    expect(lines.map(({ action }) => action)).toContain('call-end')
    expect(lines.at(-1)).toEqual({
      no: 6,
      at: 9,
      userId: USER,
      action: 'setting-change',
      subject: 'safetyMode',
    })
    expect(lines.map(({ no }) => no)).toEqual(lines.map(({ no }) => no).toSorted((a, b) => a - b))
    expect(JSON.stringify(lines)).not.toContain('chart')
    expect(await store.audit.read({ after: 5 })).toHaveLength(1)
    expect((await store.audit.read({ limit: 1 })).length).toBeLessThan(lines.length)
    await store.close()
  })

  it.each([
    ['an edited row', (folder: string) => editBody(folder, 3, 'chart 2', 'chart 9'), [3], 'edited'],
    ['a removed row', (folder: string) => edit(folder, 'DELETE FROM journal WHERE id = 3'), [3], 'missing'],
    [
      'removed rows at the end',
      (folder: string) => edit(folder, 'DELETE FROM journal WHERE id >= 4'),
      [4],
      'missing',
    ],
    [
      'an edited row with a seal of another row',
      (folder: string) =>
        edit(folder, 'UPDATE journal SET mac = (SELECT mac FROM journal WHERE id = 2) WHERE id = 3'),
      [3, 4],
      'edited',
    ],
    [
      'a row whose body is forged behind the digest of a deleted one',
      (folder: string) => forge(folder, 3, (body) => body.replace('chart 2', 'chart 9')),
      [3],
      'edited',
    ],
    [
      'a row that was emptied as if its thread was deleted',
      (folder: string) => forge(folder, 3, () => '[]'),
      [3],
      'edited',
    ],
    [
      'two rows in another order',
      (folder: string) =>
        edit(
          folder,
          'UPDATE journal SET id = -1 WHERE id = 2; UPDATE journal SET id = 2 WHERE id = 3; UPDATE journal SET id = 3 WHERE id = -1',
        ),
      [2, 3, 4],
      'edited',
    ],
    [
      'an added row',
      (folder: string) =>
        edit(
          folder,
          'INSERT INTO journal SELECT 6, thread, last_seq, kinds, sum, body, NULL, NULL FROM journal WHERE id = 5',
        ),
      [6],
      'unsealed',
    ],
    [
      'a note of the end that was set back',
      (folder: string) => edit(folder, 'UPDATE chain_head SET page = 2; DELETE FROM journal WHERE id > 3'),
      [2],
      'edited',
    ],
  ])('names %s', async (_, change, rows, kind) => {
    const folder = await createFilled()
    change(folder)
    const check = await verify(folder)
    expect(check.ok).toBe(false)
    expect(check.problems.map(({ no }) => no)).toEqual(rows)
    expect(new Set(check.problems.map((problem) => problem.kind))).toEqual(new Set([kind]))
  })

  it('still reports a removed end after the store was used again', async () => {
    const folder = await createFilled()
    edit(
      folder,
      `DELETE FROM journal WHERE id >= 4; DELETE FROM pages WHERE id >= 4;
      UPDATE progress SET page = 3 WHERE name = 'indexed'`,
    )
    const store = openEmbeddedStore({ folder })
    await store.audit.record({ at: 9, userId: USER, action: 'hold' })
    await store.audit.record({ at: 9, userId: USER, action: 'release' })
    const { ok, problems } = await store.audit.verify()
    await store.close()
    expect(ok).toBe(false)
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['reported']))
  })

  it('keeps a line for a deleted thread, and no word of it', async () => {
    const folder = await createFilled()
    const store = openEmbeddedStore({ folder })
    await store.threads.delete(THREAD, 50)
    expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 6 })
    expect(await store.audit.read()).toEqual([
      { no: 6, at: 50, userId: USER, action: 'thread-delete', threadId: THREAD, facts: { rows: 5 } },
    ])
    await store.close()
    expect(await verify(folder)).toMatchObject({ ok: true })
    const again = openEmbeddedStore({ folder })
    await addTurn(again, 'thread_2' as ThreadId)
    expect(await again.audit.verify()).toMatchObject({ ok: true, rows: 7 })
    await again.close()
  })

  it('starts the chain behind the rows of an earlier version, and notices when one of those changes', async () => {
    const folder = await createFilled()
    edit(folder, 'UPDATE journal SET mac = NULL; DELETE FROM chain_head')
    await rm(join(folder, 'chain.json'))
    const store = openEmbeddedStore({ folder })
    await store.audit.record({ at: 9, userId: USER, action: 'hold' })
    expect(await store.audit.verify()).toEqual({ ok: true, rows: 1, first: 6, problems: [] })
    await store.threads.delete(THREAD, 50)
    expect(await store.audit.verify()).toMatchObject({ ok: true })
    await store.close()
    edit(folder, 'DELETE FROM journal WHERE id = 2')
    expect((await verify(folder)).problems).toMatchObject([{ no: 5, kind: 'edited' }])
  })

  it('cannot be checked without its key, and says so', async () => {
    const folder = await createFilled()
    await rm(join(folder, 'seal.key'))
    expect(await verify(folder)).toMatchObject({ ok: false, problems: [{ text: /seal\.key is missing/ }] })
  })
})

async function addTurn(store: Store, id: ThreadId): Promise<void> {
  await store.threads.create({ id, userId: USER, at: 0 })
  await store.ledger.commit(id, [
    runStart('And now?', { runId: `${RUN}_2` as typeof RUN, conversationId: id }),
  ])
}
