import type { ModelClient } from '@capstan/harness'
import { ScriptedModel, calls, finish, handMadeModel, says, stubTool, text } from '@capstan/harness/testing'
import type {
  ApprovalList,
  ApprovalReceipt,
  EventPage,
  MessagePost,
  MessageReceipt,
  RunPage,
  ThreadDetail,
  ThreadSummary,
} from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Client, TestServer, TestServerOptions } from '../test-server.fixture.ts'
import { startTestServer } from '../test-server.fixture.ts'

/** A model whose calls wait until they are released; each answers with the last user message. */
function createPatientModel() {
  const gates: PromiseWithResolvers<void>[] = []
  const asked: string[] = []
  const model: ModelClient = handMadeModel(async function* ({ messages }, signal) {
    const said = messages.flatMap((message) =>
      message.role === 'user'
        ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
        : [],
    )
    asked.push(said.join('|'))
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    signal.addEventListener('abort', () => gate.reject(signal.reason as Error))
    await gate.promise
    yield text(`Received ${said.at(-1)}.`)
    yield finish
  })
  return {
    model,
    asked,
    /** Releases the n-th model call, as soon as it was made. */
    release: async (n: number): Promise<void> => {
      await expect.poll(() => gates.length).toBeGreaterThan(n)
      gates[n]!.resolve()
    },
    called: (times: number) => expect.poll(() => gates.length).toBe(times),
  }
}

async function start(options: TestServerOptions) {
  const server: TestServer = await startTestServer(options)
  const client: Client = await server.logIn()
  const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
  const send = (post: Partial<MessagePost>): Promise<MessageReceipt> =>
    client.json('POST', `/api/threads/${id}/messages`, { text: 'Hello', messageId: 'message_1', ...post })
  const turns = async () =>
    (await client.json<RunPage>('GET', `/api/runs?threadId=${id}`)).runs.map(({ text: said }) => said)
  const idle = () => server.assistant.threadsOf('local').idle()
  return { server, client, id, send, turns, idle }
}

describe('a message that is sent twice', () => {
  it.each(['send', 'steer', 'follow-up', 'interrupt', 'queue'] as const)(
    'to an idle thread as %s starts one turn, and both get its run',
    async (mode) => {
      const { send, turns, idle } = await start({ model: new ScriptedModel(says('Once.')) })
      const receipts = await Promise.all([send({ mode }), send({ mode }), send({ mode })])
      await idle()
      const late = await send({ mode })
      expect(late.runId).toBeTypeOf('string')
      expect(new Set([...receipts, late].map(({ runId }) => runId)).size).toBe(1)
      expect(await turns()).toEqual(['Hello'])
    },
  )

  it('during its own turn interrupts nothing', async () => {
    const { model, release, called } = createPatientModel()
    const { send, turns, idle } = await start({ model })
    const first = await send({ mode: 'interrupt' })
    await called(1)
    expect(await send({ mode: 'interrupt' })).toEqual(first)
    await release(0)
    await idle()
    expect(await turns()).toEqual(['Hello'])
  })

  it('to a running turn reaches the model once', async () => {
    const { model, asked, release, called } = createPatientModel()
    const { send, idle } = await start({ model })
    await send({})
    await called(1)
    const later = { text: 'And this', messageId: 'message_2', mode: 'steer' as const }
    expect(await Promise.all([send(later), send(later)])).toEqual([
      { messageId: 'message_2' },
      { messageId: 'message_2' },
    ])
    await release(0)
    await release(1)
    await idle()
    expect(asked).toEqual(['Hello', 'Hello|And this'])
  })

  it('does not answer an approval twice, and the tool runs once', async () => {
    const sent: string[] = []
    const { client, id, send, idle } = await start({
      model: new ScriptedModel(calls('send'), says('Sent.')),
      agent: {
        tools: [stubTool('send', () => void sent.push('sent'), { effect: 'write' })],
        safety: { mode: 'supervised' },
      },
    })
    await send({})
    await idle()
    const waiting = await client.json<ThreadDetail>('GET', `/api/threads/${id}`)
    expect(waiting.thread.activity).toBe('waiting')
    const [approval] = (await client.json<ApprovalList>('GET', '/api/approvals')).approvals
    const answer = () =>
      client.json<ApprovalReceipt>('POST', `/api/approvals/${approval!.id}`, { decision: 'allow-once' })
    const receipts = await Promise.all([answer(), answer()])
    expect(receipts.map(({ receipt }) => receipt).toSorted()).toEqual(['accepted', 'already-answered'])
    await expect.poll(() => sent).toEqual(['sent'])
    await idle()
    expect((await answer()).receipt).toBe('already-answered')
    expect(sent).toEqual(['sent'])
  })
})

it('a message with an id that not every store can hold is refused', async () => {
  const { send } = await start({ model: new ScriptedModel() })
  for (const messageId of ['a\0b', '\ud800']) await expect(send({ messageId })).rejects.toThrow('400')
})

describe('a message during a turn', () => {
  it('is refused without a mode', async () => {
    const { model, release, called } = createPatientModel()
    const { send, idle } = await start({ model })
    await send({})
    await called(1)
    await expect(send({ messageId: 'message_2' })).rejects.toThrow('409')
    await release(0)
    await idle()
  })

  it('in mode follow-up is answered at once and becomes the next turn', async () => {
    const { model, release, called } = createPatientModel()
    const { send, turns, idle } = await start({ model })
    await send({})
    await called(1)
    expect(await send({ text: 'Next', messageId: 'message_2', mode: 'follow-up' })).toEqual({
      messageId: 'message_2',
    })
    await release(0)
    await release(1)
    await idle()
    expect(await turns()).toEqual(['Next', 'Hello'])
  })

  it('in mode interrupt ends the turn and replaces it', async () => {
    const { model, release, called } = createPatientModel()
    const { client, id, send, idle } = await start({ model })
    const first = await send({})
    await called(1)
    const second = await send({ text: 'Rather this', messageId: 'message_2', mode: 'interrupt' })
    expect(second.runId).not.toBe(first.runId)
    await release(1)
    await idle()
    const { runs } = await client.json<RunPage>('GET', `/api/runs?threadId=${id}`)
    expect(runs.map(({ status }) => status)).toEqual(['done', 'aborted'])
  })

  it.each([
    ['collect', ['First\n\nSecond', 'Hello']],
    ['one-by-one', ['Second', 'First', 'Hello']],
    ['interrupt', ['Second', 'First', 'Hello']],
    [null, ['Second', 'First', 'Hello']],
  ] as const)('in mode queue does what the thread says: %s', async (queueMode, expected) => {
    const { model, release, called } = createPatientModel()
    const { client, id, send, turns, idle } = await start({ model })
    const changed = await client.json<ThreadSummary>('PATCH', `/api/threads/${id}`, { queueMode })
    expect(changed.queueMode).toBe(queueMode ?? undefined)
    await send({})
    await called(1)
    const first = await send({ text: 'First', messageId: 'message_2', mode: 'queue' })
    expect(first.runId === undefined).toBe(queueMode !== 'interrupt')
    await send({ text: 'Second', messageId: 'message_3', mode: 'queue' })
    if (queueMode !== 'interrupt') for (let n = 0; n < expected.length; n++) await release(n)
    else await release(2)
    await idle()
    expect(await turns()).toEqual(expected)
    const again = await send({ text: 'First', messageId: 'message_2', mode: 'queue' })
    await idle()
    expect([again.messageId, await turns()]).toEqual(['message_2', expected])
  })

  it('in mode steer becomes the next turn when the turn ends first, except after a stop', async () => {
    for (const isStopped of [false, true]) {
      const { model, release, called } = createPatientModel()
      const { client, id, send, turns, idle } = await start({
        model,
        agent: { limits: { maxIterations: 1 } },
      })
      await send({})
      await called(1)
      await send({ text: 'And this', messageId: 'message_2', mode: 'steer' })
      if (isStopped) await client.json('POST', `/api/threads/${id}/stop`, {})
      else {
        await release(0)
        await release(1) // the summary at the cap
        await release(2)
        await expect.poll(turns).toEqual(['And this', 'Hello'])
      }
      await idle()
      expect(await turns()).toEqual(isStopped ? ['Hello'] : ['And this', 'Hello'])
    }
  })

  it('may have attachments only when it starts a turn', async () => {
    const { model, release, called } = createPatientModel()
    const { send, idle } = await start({ model })
    await send({})
    await called(1)
    const attachments = [{ name: 'a.txt', mediaType: 'text/plain', data: 'aGk=' }]
    await expect(send({ messageId: 'message_2', mode: 'steer', attachments })).rejects.toThrow(
      '"field":"attachments"',
    )
    await release(0)
    await idle()
  })

  it('is not affected by a stop for another run', async () => {
    const { model, release, called } = createPatientModel()
    const { client, id, send, turns, idle } = await start({ model })
    await send({})
    await called(1)
    await client.json('POST', `/api/threads/${id}/stop`, { runId: 'run_other' })
    await release(0)
    await idle()
    expect(await turns()).toEqual(['Hello'])
    const { events } = await client.json<EventPage>('GET', `/api/threads/${id}/events`)
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'done' } })
  })
})

describe('a turn that ended at its cap', () => {
  it('can be continued once', async () => {
    const { client, id, send, idle } = await start({
      model: new ScriptedModel(calls('look'), says('So far so good.'), says('Done.')),
      agent: { tools: [stubTool('look', () => 'seen')], limits: { maxIterations: 1 } },
    })
    await send({})
    await idle()
    const { events } = await client.json<EventPage>('GET', `/api/threads/${id}/events`)
    const end = events.at(-1)
    if (end?.type !== 'turn-end' || end.outcome.type !== 'capped') throw new Error('it was not capped')
    const { resumeToken } = end.outcome
    const path = `/api/threads/${id}/continue`
    await expect(client.json('POST', path, { resumeToken: 'resume_other' })).rejects.toThrow('409')
    const { runId } = await client.json<MessageReceipt>('POST', path, { resumeToken })
    expect(runId).toBeTypeOf('string')
    await idle()
    await expect(client.json('POST', path, { resumeToken })).rejects.toThrow('409')
  })
})

describe('an attachment', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

  async function sendFile(bytes: Buffer, mediaType: string) {
    const { client, id, send, idle } = await start({
      model: ScriptedModel.with({ abilities: { files: ['text/html', 'application/pdf'] } }, says('Seen.')),
    })
    await send({ attachments: [{ name: 'file', mediaType, data: bytes.toString('base64') }] })
    await idle()
    const { events } = await client.json<EventPage>('GET', `/api/threads/${id}/events`)
    const [begin] = events
    if (begin?.type !== 'turn-start') throw new Error('no turn')
    const ref = begin.attachments?.[0]?.ref
    return client.request(`/api/threads/${id}/media/${ref}`)
  }

  it('that is an image is served as an image', async () => {
    const answer = await sendFile(png, 'image/png')
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('vary')).toBe('cookie')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png)
  })

  it.each(['image/bmp', 'image/png', 'application/pdf'])(
    'with HTML declared as %s is served as a download',
    async (mediaType) => {
      const answer = await sendFile(Buffer.from('<svg onload="alert(1)"/><script>1</script>'), mediaType)
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )
})
