import { calls, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { Step } from '@capstan/harness/testing'
import type {
  ApprovalList,
  EventPage,
  MessagePost,
  MessageReceipt,
  RunPage,
  ThreadSummary,
} from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'

const SEND = calls('send', { to: 'ada' })

/** A thread whose turn waits for an approval. */
async function ask(steps: readonly Step[], effect: 'write' | 'admin' = 'write') {
  const sent: unknown[] = []
  const server = await startTestServer({
    model: new ScriptedModel(...steps),
    agent: {
      tools: [stubTool('send', (args) => (sent.push(args), 'sent'), { effect, returns: [] })],
      safety: { mode: 'supervised' },
    },
  })
  const client = await server.logIn()
  const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
  let count = 0
  const send = (text: string, more: Partial<MessagePost> = {}) =>
    client.json<MessageReceipt>('POST', `/api/threads/${id}/messages`, {
      text,
      messageId: `message_${++count}`,
      ...more,
    })
  const open = async () => (await client.json<ApprovalList>('GET', '/api/approvals')).approvals
  const turns = async () =>
    (await client.json<RunPage>('GET', `/api/runs?threadId=${id}`)).runs.map(({ text }) => text)
  const idle = () => server.assistant.threadsOf('local').idle()
  await send('Write to Ada.')
  await idle()
  const lastSeq = async () => (await client.json<EventPage>('GET', `/api/threads/${id}/events`)).lastSeq
  return { send, open, turns, idle, sent, lastSeq }
}

describe('a word while one question is open', () => {
  it.each([
    ['Yes!', 'allow-once', 1],
    ['👍', 'allow-once', 1],
    ['nein', 'deny', 0],
    ['いいえ。', 'deny', 0],
  ] as const)('%s answers it, and the receipt says so', async (word, decision, times) => {
    const { send, open, turns, idle, sent } = await ask([SEND, says('Done.')])
    const [asked] = await open()
    expect(await send(word, { messageId: 'word' })).toEqual({
      messageId: 'word',
      answered: { approvalId: asked!.id, decision },
    })
    await expect.poll(open).toEqual([])
    await idle()
    expect(sent).toHaveLength(times)
    expect(await turns()).toEqual(['Write to Ada.'])
  })

  it('is one answer when it is sent twice, and allows once', async () => {
    const { send, open, turns, idle, sent } = await ask([SEND, calls('send', { to: 'bob' }), says('Both.')])
    const first = await send('yes', { messageId: 'yes_1' })
    await expect.poll(async () => (await open()).map(({ arguments: args }) => args)).toEqual([{ to: 'bob' }])
    expect(await send('yes', { messageId: 'yes_1' })).toEqual(first)
    await idle()
    expect(sent).toEqual([{ to: 'ada' }])
    expect(await turns()).toEqual(['Write to Ada.'])
  })

  it('does not answer a question that came after the message', async () => {
    const { send, open, sent } = await ask([says('Sure?'), SEND, says('Done.')])
    const first = await send('yes', { messageId: 'yes_1' })
    expect(first.runId).toBeTypeOf('string')
    await expect.poll(async () => (await open()).length).toBe(1)
    expect(await send('yes', { messageId: 'yes_1' })).toEqual(first)
    expect(await open()).toHaveLength(1)
    expect(sent).toEqual([])
  })

  it('does not answer a question that the person had not seen when they wrote', async () => {
    const { send, open, sent, lastSeq } = await ask([SEND, calls('send', { to: 'bob' }), says('Both.')])
    const seenSeq = await lastSeq()
    expect((await send('yes', { seenSeq })).answered).toBeDefined()
    await expect.poll(async () => (await open()).map(({ arguments: args }) => args)).toEqual([{ to: 'bob' }])
    await expect(send('yes', { seenSeq })).rejects.toThrow('409')
    expect(await open()).toHaveLength(1)
    expect(sent).toEqual([{ to: 'ada' }])
    expect((await send('yes', { seenSeq: await lastSeq() })).answered).toBeDefined()
  })

  it('is not enough for an admin question, which stays open', async () => {
    const { send, open, sent } = await ask([SEND, says('Done.')], 'admin')
    await expect(send('yes')).rejects.toThrow('409')
    expect(await open()).toHaveLength(1)
    expect(sent).toEqual([])
  })
})

describe('a message is a new one', () => {
  it('when it says more than yes or no', async () => {
    const { send, turns, idle, sent } = await ask([SEND, says('Fine.')])
    expect((await send('yes, but to Bob')).answered).toBeUndefined()
    await idle()
    expect(sent).toEqual([])
    expect(await turns()).toContain('yes, but to Bob')
  })

  it('when no question is open', async () => {
    const { send, idle, turns } = await ask([says('Shall I?'), says('Then I do.')])
    expect((await send('yes')).runId).toBeTypeOf('string')
    await idle()
    expect(await turns()).toContain('yes')
  })
})
