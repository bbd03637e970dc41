import { ScriptedModel, says } from '@capstan/harness/testing'
import type {
  Diagnostics,
  EventPage,
  McpServerPreview,
  Settings,
  ThreadId,
  ThreadSummary,
  TurnEvent,
} from '@capstan/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAuth } from './auth/auth.ts'
import type { Client } from './http/test-server.fixture.ts'
import { createFolder, redeem, toClient } from './http/test-server.fixture.ts'
import { startServer } from './serve.ts'
import { createAssistant } from './sessions/create-assistant.ts'

/** The whole server on a data folder, as the program starts it. */
async function start(folder: string, port: number, ...replies: string[]) {
  const assistant = await createAssistant({
    folder,
    env: { OLLAMA_HOST: '127.0.0.1:9' },
    onProblem: () => {},
    model: new ScriptedModel(...replies.map((reply) => says(reply))),
  })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant, auth, port, checkAnswers: true })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  return { server, auth }
}

async function logIn({ server, auth }: Awaited<ReturnType<typeof start>>): Promise<Client> {
  const answer = await redeem(server.url, auth.mintTicket())
  return toClient(server, answer.headers.getSetCookie()[0]!.split(';')[0]!, 'local')
}

async function sendMessage(client: Client, id: ThreadId, messageId: string): Promise<readonly TurnEvent[]> {
  await client.json('POST', `/api/threads/${id}/messages`, { text: 'Hello', messageId })
  let page: EventPage | undefined
  await expect
    .poll(async () => {
      page = await client.json<EventPage>('GET', `/api/threads/${id}/events`)
      return page.events.filter(({ type }) => type === 'turn-end').length
    })
    .toBe(Number(messageId.at(-1)))
  return page!.events
}

describe('a server on a data folder', () => {
  it('keeps logins, threads, sequence numbers and messages over a restart', async () => {
    const folder = await createFolder()
    const first = await start(folder, 0, 'Hello yourself.')
    const client = await logIn(first)
    const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
    const before = await sendMessage(client, id, 'message_1')
    await first.server.stop()
    await start(folder, first.server.port, 'Hello again.')
    await client.json('POST', `/api/threads/${id}/messages`, { text: 'Hello', messageId: 'message_1' })
    const socket = client.open()
    const received: TurnEvent[] = []
    const ended = new Promise<void>((resolve) => {
      socket.on('turn-events', (events) => {
        received.push(...events)
        if (received.at(-1)?.type === 'turn-end') resolve()
      })
    })
    const last = before.at(-1)!.seq
    expect(await socket.emitWithAck('thread-watch', { threadId: id, after: last })).toEqual({
      ok: true,
      lastSeq: last,
    })
    const after = await sendMessage(client, id, 'message_2')
    await ended
    expect(after.slice(0, before.length)).toEqual(before)
    expect(received).toEqual(after.slice(before.length))
    expect(received[0]!.seq).toBe(last + 1)
  })

  it('answers every documented route and refuses invalid settings with the name of the field', async () => {
    const running = await start(await createFolder(), 0)
    const client = await logIn(running)
    for (const path of ['toolkits', 'mcp-servers', 'approvals', 'grants', 'runs', 'stats'])
      expect((await client.request(`/api/${path}`)).status, path).toBe(200)
    const { checks } = await client.json<Diagnostics>('GET', '/api/diagnostics')
    expect(checks.map(({ id }) => id)).toContain('store')
    const changed = await client.json<Settings>('PATCH', '/api/settings', { theme: 'dark' })
    expect(changed.theme).toBe('dark')
    const refused = await client.request('/api/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ roots: ['not/absolute'] }),
    })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { code: 'invalid', field: 'roots.0' } })
    const command = { type: 'stdio', command: 'npx', args: ['a server'] }
    const preview = await client.json<McpServerPreview>('POST', '/api/mcp-servers/preview', {
      name: 'Mine',
      transport: command,
    })
    expect(preview.command).toContain('npx')
    await expect(
      client.json('POST', '/api/mcp-servers', { name: 'Mine', transport: command }),
    ).rejects.toThrow('confirmedCommand')
  })
})
