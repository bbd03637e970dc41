import { ScriptedModel, calls, says, stubTool } from '@capstan/harness/testing'
import type {
  ApprovalList,
  ApprovalPost,
  ApprovalReceipt,
  ExactArguments,
  GrantList,
  ThreadSummary,
} from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'

const PASSWORD = 'hunter2-Correct!Horse9'
const TO_ADA = { to: 'ada@example.com' }

/** A server whose model sends these mails, one per message. */
async function start(effect: 'write' | 'admin', ...mails: readonly object[]) {
  const sent: unknown[] = []
  const script = mails.flatMap((mail) => [calls('send', mail as never), says('Sent.')])
  const send = stubTool('send', (args) => void sent.push(args), { effect, destinations: ['to'] })
  const server = await startTestServer({
    model: new ScriptedModel(...script),
    agent: { tools: [send], safety: { mode: 'supervised' } },
  })
  const client = await server.logIn()
  const { id } = await client.json<ThreadSummary>('POST', '/api/threads', { title: 'Mails' })
  let messages = 0
  const idle = () => server.assistant.threadsOf('local').idle()
  const say = async () => {
    const post = { text: 'Send it.', messageId: `message_${++messages}` }
    await client.json('POST', `/api/threads/${id}/messages`, post)
    await idle()
    return (await client.json<ApprovalList>('GET', '/api/approvals')).approvals[0]
  }
  const answer = async (approvalId: string, post: ApprovalPost) => {
    const response = await client.request(`/api/approvals/${approvalId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(post),
    })
    await idle()
    return { status: response.status, body: (await response.json()) as ApprovalReceipt }
  }
  const grants = async () => (await client.json<GrantList>('GET', '/api/grants')).grants
  return { server, client, sent, say, answer, grants }
}

describe('a grant over HTTP', () => {
  it('saves the question, is listed with its conversation, and ends when it is revoked', async () => {
    const { client, sent, say, answer, grants } = await start(
      'write',
      TO_ADA,
      { to: 'bob@example.com' },
      TO_ADA,
    )
    const first = await say()
    expect(first!.limits).toEqual([{ to: ['ada@example.com'] }, { to: ['*@example.com'] }])
    const constraints = { to: ['*@example.com'] }
    expect(await answer(first!.id, { decision: 'allow-always', constraints })).toMatchObject({ status: 200 })
    expect(await say()).toBeUndefined()
    expect(sent).toHaveLength(2)
    const [grant] = await grants()
    expect(grant).toMatchObject({ tool: 'send', lifetime: 'always', constraints, threadTitle: 'Mails' })
    expect((await client.request(`/api/grants/${grant!.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await client.request(`/api/grants/${grant!.id}`, { method: 'DELETE' })).status).toBe(404)
    expect(await grants()).toEqual([])
    expect(await say()).toBeDefined()
    expect(sent).toHaveLength(2)
  })

  it.each([
    [{ decision: 'allow-always', constraints: { to: ['*@evil.test'] } }, 'do not match this call'],
    [{ decision: 'allow-always', constraints: { text: ['x'] } }, 'is not a destination'],
    [{ decision: 'allow-once', constraints: { to: ['*@example.com'] } }, 'Leave them out'],
  ] as const)(
    'with constraints that do not narrow (%j) is refused, and the question stays open',
    async (post, words) => {
      const { say, answer, grants, sent } = await start('write', TO_ADA)
      const asked = await say()
      const refused = await answer(asked!.id, post)
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', field: 'constraints' } },
      })
      expect(JSON.stringify(refused.body)).toContain(words)
      expect(await grants()).toEqual([])
      expect(await answer(asked!.id, { decision: 'allow-once' })).toMatchObject({
        body: { receipt: 'accepted' },
      })
      expect(sent).toHaveLength(1)
    },
  )

  it('is refused for what administers, and the question stays open', async () => {
    const { say, answer, sent } = await start('admin', TO_ADA)
    const asked = await say()
    expect(await answer(asked!.id, { decision: 'allow-always' })).toMatchObject({
      status: 400,
      body: { error: { field: 'decision' } },
    })
    expect(sent).toEqual([])
    expect(await answer(asked!.id, { decision: 'allow-once' })).toMatchObject({ status: 200 })
    expect(sent).toHaveLength(1)
  })
})

describe('a call with hidden values over HTTP', () => {
  it('is allowed only when the answer says so, and shows them only to its owner while it is open', async () => {
    const { server, client, say, answer, sent } = await start('write', { ...TO_ADA, password: PASSWORD })
    const asked = await say()
    expect(asked).toMatchObject({ hidden: [{ path: 'password', chars: PASSWORD.length }] })
    expect(JSON.stringify(asked)).not.toContain(PASSWORD)
    expect(await answer(asked!.id, { decision: 'allow-once' })).toMatchObject({
      status: 400,
      body: { error: { field: 'withHidden' } },
    })
    const path = `/api/approvals/${asked!.id}/reveal`
    expect((await client.json<ExactArguments>('POST', path)).arguments).toMatchObject({ password: PASSWORD })
    const eve = await server.logIn('eve')
    expect((await eve.request(path, { method: 'POST' })).status).toBe(404)
    expect(await answer(asked!.id, { decision: 'allow-once', withHidden: true })).toMatchObject({
      status: 200,
    })
    expect(sent).toHaveLength(1)
    expect((await client.request(path, { method: 'POST' })).status).toBe(404)
  })

  it('is denied without further words', async () => {
    const { say, answer, sent } = await start('write', { password: PASSWORD })
    const asked = await say()
    expect(await answer(asked!.id, { decision: 'deny' })).toMatchObject({ body: { receipt: 'accepted' } })
    expect(sent).toEqual([])
  })
})
