import type { Store } from '@capstan/harness/stores'
import { expect, it } from 'vitest'
import { iteration, runEnd, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()

/** A store with one turn of three calls, written one after the other: one chain with five rows. */
async function openFilled(): Promise<Store> {
  const store = await postgres.open()
  await store.threads.create({ id: THREAD, userId: USER, title: 'Boats', at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?')])
  for (const n of [1, 2, 3]) await store.ledger.commit(THREAD, iteration(n, `chart ${n}`))
  await store.ledger.commit(THREAD, [runEnd('Behind the lighthouse.')])
  return store
}

/** Changes rows as another program would. `row(3)` is the third row. */
const row = (n: number): string => `(SELECT id FROM journal ORDER BY id OFFSET ${n - 1} LIMIT 1)`

async function findRows(store: Store): Promise<number[]> {
  const rows = await postgres.run<{ id: string }>(postgres.urlOf(store), 'SELECT id FROM journal ORDER BY id')
  return rows.map(({ id }) => Number(id))
}

it.each([
  [
    'an edited row',
    `UPDATE journal SET body = replace(body, 'chart 2', 'chart 9') WHERE id = ${row(3)}`,
    [3],
    'edited',
  ],
  ['a removed row', `DELETE FROM journal WHERE id = ${row(3)}`, [4], 'missing'],
  ['removed rows at the end', `DELETE FROM journal WHERE id >= ${row(4)}`, [3], 'missing'],
  [
    'a row with the seal of another row',
    `UPDATE journal SET mac = (SELECT mac FROM journal WHERE id = ${row(2)}) WHERE id = ${row(3)}`,
    [3, 4],
    'edited',
  ],
  [
    'a row whose body is forged behind the digest of a deleted one',
    `UPDATE journal SET digest = sha256(convert_to(body, 'UTF8')), body = '[]' WHERE id = ${row(3)}`,
    [3],
    'edited',
  ],
  [
    'a row that was moved to another thread',
    `UPDATE journal SET thread = thread + 1 WHERE id = ${row(3)}`,
    [3],
    'edited',
  ],
  [
    'a copied row',
    `INSERT INTO journal (thread, page, last_seq, kinds, body, chain, no, mac)
    SELECT thread, page + 9, last_seq, kinds, body, chain, no, mac FROM journal WHERE id = ${row(3)}`,
    [6],
    'edited',
  ],
  [
    'a row of no chain',
    `INSERT INTO journal (thread, page, last_seq, kinds, body, chain, no, mac)
    SELECT thread, page + 9, last_seq, kinds, body, 99, 1, mac FROM journal WHERE id = ${row(3)}`,
    [6],
    'unsealed',
  ],
  [
    'a note of the end that was set back',
    `UPDATE chains SET reach = 2; DELETE FROM journal WHERE id > ${row(3)}`,
    [3],
    'edited',
  ],
])('the audit log names %s', async (_, sql, expected, kind) => {
  const store = await openFilled()
  expect(await store.audit.verify()).toEqual({ ok: true, rows: 5, first: 1, problems: [] })
  const ids = await findRows(store)
  await postgres.run(postgres.urlOf(store), sql)
  const { ok, problems } = await store.audit.verify()
  expect(ok).toBe(false)
  const after = await findRows(store)
  const numbers = problems.map(({ no }) => (ids.includes(no) ? ids.indexOf(no) : after.indexOf(no)) + 1)
  expect(numbers).toEqual(expected)
  expect(new Set(problems.map((problem) => problem.kind))).toEqual(new Set([kind]))
})

it('the audit log names two rows in another order', async () => {
  const store = await openFilled()
  const [, second, third] = await findRows(store)
  await postgres.run(
    postgres.urlOf(store),
    `UPDATE journal SET no = CASE id WHEN ${second} THEN 3 ELSE 2 END WHERE id IN (${second}, ${third})`,
  )
  const { ok, problems } = await store.audit.verify()
  expect(ok).toBe(false)
  expect(new Set(problems.map(({ no }) => no))).toEqual(new Set([second, third]))
})

it.each([
  ['first', 'no = 1', 'before chain 2'],
  ['last', 'no = 2', 'at the end'],
])('the audit log notices that the %s chain was removed with all its rows', async (_, which, text) => {
  const store = await openFilled()
  const other = await postgres.open({ url: postgres.urlOf(store) })
  await other.audit.record({ at: 9, userId: USER, action: 'hold' })
  expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 6 })
  const sql = `DELETE FROM chains WHERE ${which}; DELETE FROM journal WHERE chain NOT IN (SELECT no FROM chains)`
  await postgres.run(postgres.urlOf(store), sql)
  const { ok, problems } = await store.audit.verify()
  expect(ok).toBe(false)
  expect(problems.map((problem) => problem.text).join(' ')).toContain(text)
})

it('the audit log of several nodes that write at the same time verifies, and has the lines of all', async () => {
  const first = await postgres.open({ nodeId: 'a' })
  const second = await postgres.open({ url: postgres.urlOf(first), nodeId: 'b' })
  const record = async (store: Store, n: number) =>
    store.audit.record({ at: n, userId: USER, action: 'hold' })
  await Promise.all([first, second].flatMap((store) => [1, 2, 3, 4, 5].map((n) => record(store, n))))
  expect(await first.audit.verify()).toMatchObject({ ok: true, rows: 10, problems: [] })
  const lines = await second.audit.read()
  expect(lines).toHaveLength(10)
  expect(await second.audit.read({ after: lines[6]!.no })).toHaveLength(3)
  expect(await second.audit.read({ limit: 4 })).toHaveLength(4)
})

it('the audit log keeps a line for a deleted thread, and no word of it', async () => {
  const store = await openFilled()
  expect(await store.threads.delete(THREAD, 50)).toBe(true)
  expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 6 })
  expect(await store.audit.read()).toMatchObject([
    { at: 50, userId: USER, action: 'thread-delete', threadId: THREAD, facts: { rows: 5 } },
  ])
  const tables = await postgres.run<{ all: string }>(
    postgres.urlOf(store),
    `SELECT query_to_xml('SELECT * FROM ' || tablename, true, false, '')::text AS all FROM pg_tables
    WHERE schemaname = current_schema()`,
  )
  expect(JSON.stringify(tables)).toContain('thread-delete')
  expect(JSON.stringify(tables)).not.toMatch(/harbour|lighthouse|chart|Boats/)
})
