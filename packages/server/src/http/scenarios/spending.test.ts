import { ScriptedModel, says } from '@capstan/harness/testing'
import { quietClock } from '@capstan/harness/seams'
import type { ApiProblem, Spending, ThreadSummary, TurnEvent } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createAllowances } from '../../sessions/allowances.ts'
import { DEFAULT_LIMITS } from '../../settings/member-limits.ts'
import type { Client, TestServer } from '../test-server.fixture.ts'
import { startTestServer } from '../test-server.fixture.ts'

const start = (replies = 4) =>
  startTestServer({ model: new ScriptedModel(...Array.from({ length: replies }, () => says('Hi.'))) })

async function say(server: TestServer, client: Client, userId: string, threadId?: string) {
  const id = threadId ?? (await client.json<ThreadSummary>('POST', '/api/threads', {})).id
  const answer = await client.request(`/api/threads/${id}/messages`, {
    method: 'POST',
    body: JSON.stringify({ text: 'Hello', messageId: crypto.randomUUID() }),
    headers: { 'content-type': 'application/json' },
  })
  await server.assistant.threadsOf(userId).idle()
  return { id, answer }
}

async function lastOutcome(client: Client, threadId: string) {
  const { events } = await client.json<{ events: readonly TurnEvent[] }>(
    'GET',
    `/api/threads/${threadId}/events`,
  )
  return events.findLast((event) => event.type === 'turn-end')?.outcome
}

describe('what the owner may spend', () => {
  it('is unlimited until they set it, and then stops turns with a failure that says so', async () => {
    const server = await start()
    const owner = await server.logIn()
    const { id } = await say(server, owner, 'local')
    const before = await owner.json<Spending>('GET', '/api/spending')
    expect(before).toMatchObject({ limits: {}, mayChange: true })
    expect(before.used.day.tokens).toBeGreaterThan(0)
    expect(before.used.month).toEqual(before.used.day)
    await owner.json<Spending>('PUT', '/api/spending', { tokensPerDay: 1 })
    await say(server, owner, 'local', id)
    expect(await lastOutcome(owner, id)).toMatchObject({
      type: 'failed',
      failure: { class: 'quota_exhausted', detail: { kind: 'day-limit', unit: 'tokens', limit: 1 } },
    })
    expect(await owner.json<Spending>('PUT', '/api/spending', {})).toMatchObject({ limits: {} })
    await say(server, owner, 'local', id)
    expect(await lastOutcome(owner, id)).toMatchObject({ type: 'done' })
  })

  it('is known after a restart', async () => {
    const server = await start()
    const owner = await server.logIn()
    await say(server, owner, 'local')
    const { used } = await owner.json<Spending>('GET', '/api/spending')
    const { store, limits } = server.assistant
    const later = createAllowances({ store, limits, clock: quietClock })('local')
    await later.ready()
    expect(later.spent('day')).toEqual(used.day)
    expect(later.spent('month')).toEqual(used.month)
  })

  it('refuses limits that are no amounts', async () => {
    const server = await start()
    const owner = await server.logIn()
    await expect(owner.json('PUT', '/api/spending', { usdPerDay: -1 })).rejects.toThrow()
  })
})

describe('what a member may spend', () => {
  it('is set by the owner, per day and month, in money and tokens', async () => {
    const server = await start()
    const [owner, ada] = [await server.logIn(), await server.logIn('ada')]
    const limits = { ...DEFAULT_LIMITS, tokensPerMonth: 1 }
    await owner.json('PATCH', '/api/members/ada', { limits })
    expect(await ada.json<Spending>('GET', '/api/spending')).toMatchObject({
      limits: { usdPerDay: DEFAULT_LIMITS.usdPerDay, tokensPerMonth: 1 },
      mayChange: false,
    })
    const { id } = await say(server, ada, 'ada')
    const { answer } = await say(server, ada, 'ada', id)
    expect(((await answer.json()) as ApiProblem).error).toMatchObject({
      code: 'limit_reached',
      field: 'tokensPerMonth',
    })
    await expect(ada.json('PUT', '/api/spending', {})).rejects.toThrow()
    // The owner's turns count for the owner.
    const { id: own } = await say(server, owner, 'local')
    expect(await lastOutcome(owner, own)).toMatchObject({ type: 'done' })
  })
})

it('what was spent stays spent when the thread is deleted, also after a restart', async () => {
  const server = await start()
  const owner = await server.logIn()
  const { id } = await say(server, owner, 'local')
  const { used } = await owner.json<Spending>('GET', '/api/spending')
  await owner.json('DELETE', `/api/threads/${id}`)
  expect((await owner.json<Spending>('GET', '/api/spending')).used).toEqual(used)
  const { store, limits } = server.assistant
  const later = createAllowances({ store, limits, clock: quietClock })('local')
  await later.ready()
  expect(later.spent('month')).toEqual(used.month)
})
