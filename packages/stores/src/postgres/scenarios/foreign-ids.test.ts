import type { Store } from '@capstan/harness/stores'
import type { CallId, RunId, ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { approvalRequest, fill, RUN, runStart, THREAD } from '../../fixtures/sample-records.fixture.ts'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()
const EVE = 'eve'

async function openFilled(): Promise<Store> {
  const store = await postgres.open()
  await fill(store, 2)
  await store.ledger.commit(THREAD, [
    runStart('More', { runId: 'run_2' as RunId }),
    approvalRequest('approval_1'),
  ])
  await store.connections.create({
    id: 'connection_1',
    userId: 'ann',
    connector: 'mcp',
    toolkit: 'notes',
    status: 'active',
    label: '',
    createdAt: 1,
    updatedAt: 1,
  })
  await store.connections.setScopes('ann', 'notes', { read: true, write: true, admin: true })
  return store
}

it('another user finds nothing of a user, also by ids', async () => {
  const store = await openFilled()
  expect(await store.threads.list({ userId: EVE })).toEqual([])
  expect(await store.threads.search({ userId: EVE, words: 'harbour' })).toEqual([])
  expect(await store.runs.list({ userId: EVE })).toEqual([])
  expect(await store.runs.list({ userId: EVE, threadId: THREAD })).toEqual([])
  expect(await store.runs.list({ userId: EVE, cursor: { id: RUN, startedAt: 99 } })).toEqual([])
  expect(await store.runs.usage({ userId: EVE })).toEqual([])
  expect(await store.runs.usage({ userId: EVE, threadId: THREAD })).toEqual([])
  expect(await store.approvals.list({ userId: EVE, now: 1 })).toEqual([])
  expect(await store.approvals.findGrants(EVE, 'send_mail')).toEqual([])
  expect(await store.connections.list(EVE)).toEqual([])
  expect(await store.connections.scopes(EVE, 'notes')).toMatchObject({ admin: false })
  expect(await store.threads.search({ userId: 'ann', words: 'harbour' })).toHaveLength(1)
})

it('a grant of one user cannot be revoked or used by another', async () => {
  const store = await openFilled()
  const granted = { ...approvalRequest('approval_2') } as { request: object }
  const binding = { definitionDigest: 'd', effect: 'write' }
  await store.ledger.commit(THREAD, [
    { ...granted, request: { ...granted.request, id: 'approval_2', binding } } as never,
  ])
  expect(await store.approvals.answer('approval_2', 'allow-always', 10)).toBe('accepted')
  const [grant] = await store.approvals.listGrants('ann', 10)
  expect(await store.approvals.revokeGrant(EVE, grant!.id)).toBe(false)
  expect(await store.approvals.listGrants('ann', 10)).toHaveLength(1)
})

it('a row that was given to another user by hand does not count', async () => {
  const store = await openFilled()
  await postgres.run(postgres.urlOf(store), `UPDATE approvals SET user_id = 'eve'`)
  await postgres.run(postgres.urlOf(store), `UPDATE scopes SET user_id = 'eve'`)
  expect(await store.approvals.list({ userId: EVE, now: 1 })).toMatchObject([{ isIntact: false }])
  expect(await store.connections.scopes(EVE, 'notes')).toEqual({ read: false, write: false, admin: false })
})

it('an id that no column can hold is unknown, and cannot be written', async () => {
  const store = await postgres.open()
  const id = 'nul\0byte' as ThreadId
  expect(await store.threads.get(id)).toBeUndefined()
  expect(await store.ledger.read(id)).toEqual([])
  expect(await store.ledger.lastSeq(id)).toBe(0)
  expect(await store.runs.get(id as string as RunId)).toBeUndefined()
  expect(await store.runs.calls([id as string as RunId])).toEqual([])
  expect(await store.approvals.findByCall(RUN, id as string as CallId)).toBeUndefined()
  expect(await store.connections.vault.read(id)).toBeUndefined()
  await expect(store.threads.create({ id, userId: 'ann', at: 1 })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(store.ledger.commit(id, [])).rejects.toMatchObject({ kind: 'invalid' })
  await expect(store.approvals.answer(id, 'deny', 1)).rejects.toMatchObject({ kind: 'invalid' })
})

it('an id that is too long for an index is refused', async () => {
  const store = await postgres.open()
  // Not repetitive: PostgreSQL would compress it.
  const id = Array.from({ length: 9_000 }, () => Math.random().toString(36)[2]).join('') as ThreadId
  await expect(store.threads.create({ id, userId: 'ann', at: 1 })).rejects.toMatchObject({ kind: 'invalid' })
  expect(await store.threads.get(id)).toBeUndefined()
})
