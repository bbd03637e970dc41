import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApprovalRequest, Store } from '@capstan/harness/stores'
import type { CallId } from '@capstan/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openConnection } from '../database/connection.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { RUN, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

let folder: string
let store: Store

const REQUEST: ApprovalRequest = {
  id: 'approval_1',
  threadId: THREAD,
  runId: RUN,
  callId: 'call_1' as CallId,
  tool: 'send_mail',
  label: 'Send a mail',
  arguments: { to: 'ann@example.com' },
  digest: 'digest',
  signature: 'signature',
  binding: { definitionDigest: 'definition', effect: 'write' },
  createdAt: 10,
  expiresAt: 1000,
  reason: { kind: 'data-flow', sources: [{ tool: 'read_mail' }], destinations: ['ann@example.com'] },
}

beforeEach(async () => {
  folder = await createFolder()
  store = openEmbeddedStore({ folder })
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [
    runStart('Write to Ann.'),
    { type: 'approval-open', at: 10, request: REQUEST },
  ])
})

afterEach(() => store.close())

/** Edits the file as a SQLite shell could. */
function edit(sql: string): void {
  const connection = openConnection(join(folder, 'capstan.db'))
  connection.db.exec(sql)
  connection.close()
}

it.each([
  [`user = 'eve'`],
  [`run = 'run_2'`],
  [`call = 'call_2'`],
  [`tool = 'read_mail'`],
  [`label = 'Read a mail'`],
  [`arguments = '{"to":"eve@example.com"}'`],
  [`arguments = 'no json'`],
  [`arguments = NULL`],
  [`reason = NULL`],
  [`reason = '{"kind":"data-flow","sources":[],"destinations":[]}'`],
  [`digest = 'another'`],
  [`signature = 'another'`],
  [`thread_id = 'thread_2'`],
  [`created_at = 11`],
  [`expires_at = 999999`],
  [`terms = '{"binding":{"definitionDigest":"another","effect":"write"}}'`],
  [`terms = 'no json'`],
  [`terms = NULL`],
  [`seal = x'00'`],
])('an approval with %s set by hand counts for nothing', async (change) => {
  edit(`UPDATE approvals SET ${change}`)
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: false })
  expect(await store.approvals.answer('approval_1', 'allow-once', 20)).toBe('expired')
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: false, decision: 'expired' })
  expect(await store.approvals.findGrants(USER, 'send_mail')).toEqual([])
})

it.each([
  [`decision = 'allow-once', decided_at = 20`],
  [`decision = 'allow-always', decided_at = 20, decision_seal = seal`],
  [`decided_at = 20`],
  [`decision_seal = seal`],
  [`answered_by = 'message_9'`],
])('an answer that nobody gave (%s) counts for nothing', async (change) => {
  edit(`UPDATE approvals SET ${change}`)
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: false })
  expect(await store.approvals.answer('approval_1', 'allow-once', 30)).toBe('expired')
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: true, decision: 'expired' })
})

it.each([
  [`decision = 'allow-always'`],
  [`decided_at = 21`],
  [`decision_seal = NULL`],
  [`answered_by = 'message_9'`],
])('a given answer that was changed (%s) counts for nothing', async (change) => {
  expect(await store.approvals.answer('approval_1', 'deny', 20)).toBe('accepted')
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: true, decision: 'deny' })
  edit(`UPDATE approvals SET ${change}`)
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: false })
})

it('the answer to one approval cannot be moved to another', async () => {
  const other = { ...REQUEST, id: 'approval_2', callId: 'call_2' as CallId }
  await store.ledger.commit(THREAD, [{ type: 'approval-open', at: 10, request: other }])
  await store.approvals.answer('approval_1', 'allow-once', 20)
  edit(`UPDATE approvals SET (decision, decided_at, decision_seal) =
    (SELECT decision, decided_at, decision_seal FROM approvals WHERE id = 'approval_1') WHERE id = 'approval_2'`)
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: true })
  expect(await store.approvals.get('approval_2')).toMatchObject({ isIntact: false })
})

it.each([
  [
    'is copied to another tool',
    `INSERT INTO grants SELECT user, 'grant_2', 'delete_mail', thread, created_at, expires_at,
    replace(body, 'send_mail', 'delete_mail'), seal FROM grants`,
  ],
  [
    'is copied to another user',
    `INSERT INTO grants SELECT 'eve', id, tool, thread, created_at, expires_at, body, seal
    FROM grants`,
  ],
  ['gets another body', `UPDATE grants SET body = replace(body, '"definition"', '"other"')`],
  ['gets another id', `UPDATE grants SET id = 'grant_2'`],
  ['gets a body that is no JSON', `UPDATE grants SET body = 'x'`],
])('a grant that %s by hand counts for nothing', async (_, change) => {
  await store.approvals.answer('approval_1', 'allow-always', 20)
  const [given] = await store.approvals.listGrants(USER, 30)
  expect(given).toMatchObject({ tool: 'send_mail', lifetime: 'always' })
  edit(change)
  const found = [
    ...(await store.approvals.listGrants(USER, 30)),
    ...(await store.approvals.findGrants('eve', 'send_mail')),
    ...(await store.approvals.findGrants(USER, 'delete_mail')),
  ]
  expect(found).toEqual(change.startsWith('INSERT') ? [given] : [])
})

it('without its key, nothing that was sealed counts, and a notice says so', async () => {
  await store.approvals.answer('approval_1', 'allow-always', 20)
  await store.close()
  await rm(join(folder, 'seal.key'))
  store = openEmbeddedStore({ folder })
  expect(store.notices[0]).toContain('seal.key was lost')
  expect(await store.approvals.get('approval_1')).toMatchObject({ isIntact: false })
  expect(await store.approvals.findGrants(USER, 'send_mail')).toEqual([])
})
