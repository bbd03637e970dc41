import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect as connectTo, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type {
  ApprovalList,
  ConnectionRow,
  EventPage,
  McpServerPost,
  McpServerPreview,
  SignInReply,
  ThreadSummary,
  ToolkitList,
  TurnEvent,
} from '@capstan/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBrowser } from '../../../../../examples/notes-app/src/testing/browser.ts'
import type { ServerProcess } from '../../testing/server-process.ts'
import { capstan, startServerProcess } from '../../testing/server-process.ts'
import { createHome } from '../../testing/stored-thread.ts'

/** Building the web app and starting processes are slow while other tests run. */
const SLOW = { timeout: 180_000 }

async function eventsOf(server: ServerProcess, threadId: string): Promise<readonly TurnEvent[]> {
  return (await server.request<EventPage>('GET', `/api/threads/${threadId}/events?limit=1000`)).events
}

/** Polls. This is simpler here than reading the event stream. */
async function pollUntil<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await wait(50)
  }
}

const waitForEvent = <Type extends TurnEvent['type']>(server: ServerProcess, threadId: string, type: Type) =>
  pollUntil(async () =>
    (await eventsOf(server, threadId)).findLast(
      (event): event is Extract<TurnEvent, { type: Type }> => event.type === type,
    ),
  )

async function sendMessage(server: ServerProcess, text: string): Promise<string> {
  const { id } = await server.request<ThreadSummary>('POST', '/api/threads', {})
  await server.request('POST', `/api/threads/${id}/messages`, { text, messageId: `message-${id}` })
  return id
}

/** Signs in as a user does: opens the link, allows access and returns with the cookie of the browser. */
async function signIn(server: ServerProcess, connectionId: string): Promise<void> {
  const reply = await server.request<SignInReply>('POST', `/api/connections/${connectionId}/sign-in`)
  if (reply.type !== 'visit') throw new Error(reply.type)
  const browser = createBrowser(new URL(reply.url).origin)
  await browser.open(reply.url)
  const back = await browser.submit({ account: 'ada', decision: 'allow' })
  if (back.type !== 'left') throw new Error('still there')
  const { search } = back.to
  await server.request('GET', `/oauth/return${search}`).catch((error: unknown) => {
    // The answer is a page, not JSON.
    if (!(error instanceof SyntaxError)) throw error
  })
}

async function connect(server: ServerProcess): Promise<void> {
  const { id } = await server.request<ConnectionRow>('POST', '/api/connections', { toolkit: 'notes' })
  await signIn(server, id)
}

describe('capstan serve', SLOW, () => {
  it('runs a first session: login, message, connect card, approval from another terminal, answer', async () => {
    const home = await createHome()
    const server = await startServerProcess(home, '--fast')
    const page = await fetch(server.url)
    expect(page.headers.get('content-type')).toContain('text/html')
    const threadId = await sendMessage(server, 'Save the packing list for Sandholm to my Notes')
    const card = await waitForEvent(server, threadId, 'connection-request')
    await signIn(server, card.connectionId)
    const { approvalId } = await waitForEvent(server, threadId, 'approval-request')

    const listed = await capstan(home, 'approvals', '--json')
    expect(JSON.parse(listed.out)).toMatchObject({ id: approvalId, tool: 'create_page' })
    expect(await capstan(home, 'approvals', 'approve', approvalId)).toMatchObject({ code: 0, err: '' })
    const end = await pollUntil(async () =>
      (await eventsOf(server, threadId)).find(
        (event) => event.type === 'turn-end' && event.outcome.text.includes('It is in your Notes'),
      ),
    )
    expect(end).toMatchObject({ outcome: { type: 'done' } })

    const toolkits = await capstan(home, 'toolkits', '--json')
    expect(JSON.parse(toolkits.out)).toMatchObject({ slug: 'notes', connections: [{ status: 'active' }] })
    expect((await capstan(home, 'connect', 'notes')).out).toMatch(/^notes is connected/)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('resumes a turn after kill -9, keeps pages and connection, and runs no call twice', async () => {
    const home = await createHome()
    const first = await startServerProcess(home, '--fast')
    await first.request('PATCH', '/api/settings', { safetyMode: 'full' })
    await connect(first)
    const saved = await sendMessage(first, 'Save "Tea: three minutes" to my Notes')
    await waitForEvent(first, saved, 'turn-end')
    const slow = await sendMessage(first, 'Rebuild the index of my Notes')
    await pollUntil(async () =>
      (await eventsOf(first, slow)).find(
        (event) => event.type === 'tool-start' && event.tool === 'reindex_notebook',
      ),
    )
    await first.end('SIGKILL')

    const second = await startServerProcess(home, '--fast')
    const end = await pollUntil(async () =>
      (await eventsOf(second, slow)).findLast(
        (event) => event.type === 'turn-end' && event.outcome.text !== '',
      ),
    )
    expect(end).toBeDefined()
    const events = await eventsOf(second, slow)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.some(({ type }) => type === 'turn-resume')).toBe(true)
    const looked = await sendMessage(second, 'What is in my Notes?')
    const answer = await pollUntil(async () =>
      (await eventsOf(second, looked)).find(
        (event) => event.type === 'turn-end' && event.outcome.text.startsWith('Your Notes say'),
      ),
    )
    expect(JSON.stringify(answer).match(/Tea: three minutes/g)).toHaveLength(1)
    const { toolkits } = await second.request<ToolkitList>('GET', '/api/toolkits')
    expect(toolkits[0]?.connections).toMatchObject([{ status: 'active' }])
    expect((await second.request<ApprovalList>('GET', '/api/approvals')).approvals).toEqual([])
    expect(await second.end('SIGINT')).toBe(0)
  })

  it('finishes a reply that was cut by kill -9, without repeating text', async () => {
    const home = await createHome()
    const first = await startServerProcess(home, '--no-demo')
    const threadId = await sendMessage(first, 'Show me Markdown')
    await waitForEvent(first, threadId, 'text-delta')
    await first.end('SIGKILL')
    const second = await startServerProcess(home, '--no-demo', '--fast')
    const { outcome } = await waitForEvent(second, threadId, 'turn-end')
    const deltas = (await eventsOf(second, threadId)).flatMap((event) =>
      event.type === 'text-delta' ? [event.delta] : [],
    )
    expect(outcome).toMatchObject({ type: 'done', text: deltas.join('') })
    expect(outcome.text).toMatch(/^## What an answer can hold\n\nA \*\*table\*\*:/)
    expect(outcome.text.match(/What an answer can hold/g)).toHaveLength(1)
    await second.end('SIGTERM')
  })

  it('works beside other commands, and refuses a second server', async () => {
    const home = await createHome()
    const server = await startServerProcess(home, '--no-demo')
    const { out } = await capstan(home, 'login')
    const asked = await fetch(out.trim(), { redirect: 'manual' })
    expect(await asked.text()).toContain('Log in to Capstan?')
    const { origin, searchParams } = new URL(out.trim())
    const form = { method: 'POST', headers: { origin }, body: searchParams } as const
    const login = await fetch(`${origin}/login`, { ...form, redirect: 'manual' })
    expect(login.headers.getSetCookie()).toHaveLength(1)
    expect((await server.request<ToolkitList>('GET', '/api/toolkits')).toolkits).toEqual([])
    const token = (await capstan(home, 'login', '--token')).out.trim()
    const authorization = `Bearer ${token}`
    expect((await fetch(`${server.url}/api/me`, { headers: { authorization } })).status).toBe(200)
    const again = await capstan(home, 'serve', '--port', '0')
    expect(again).toMatchObject({ code: 1, out: '' })
    expect(again.err).toMatch(
      /^capstan: Capstan is running already for .* "capstan login" prints a new login link\.\n$/,
    )
    const { id } = await server.request<ThreadSummary>('POST', '/api/threads', {})
    const renamed = await capstan(home, 'threads', 'rename', id, 'Tides', '--json')
    expect(JSON.parse(renamed.out)).toMatchObject({ id, title: 'Tides' })
    expect((await capstan(home, 'threads', 'delete', id, '--yes')).out).toBe('Deleted "Tides".\n')
    await expect(server.request('GET', `/api/threads/${id}`)).rejects.toThrow('404')
    const checks = (await capstan(home, 'doctor', '--json')).out.trim().split('\n')
    expect(checks.map((line) => (JSON.parse(line) as { id: string }).id)).toContain('web-app')
    await server.end('SIGTERM')

    expect(await capstan(home, 'login')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No server is running'),
    })
    expect(await capstan(home, 'toolkits')).toMatchObject({
      code: 0,
      out: expect.stringContaining('No apps yet'),
    })
    expect((await capstan(home, 'doctor')).out).toContain('The scripted demo model is in use.')
  })

  it('gives members a link with its public address, and says when it knows none', async () => {
    const home = await createHome()
    const first = await startServerProcess(home, '--no-demo', '--origin', 'https://capstan.example.org')
    const added = await capstan(home, 'members', 'add', 'grace')
    expect(added.out).toMatch(/^  https:\/\/capstan\.example\.org\/login\?ticket=/m)
    expect(added.out).not.toContain('this machine only')
    expect((await capstan(home, 'login', '--user', 'grace')).out).toMatch(
      /^https:\/\/capstan\.example\.org\//,
    )
    expect((await capstan(home, 'login')).out).toContain(first.url)
    await first.end('SIGTERM')

    await startServerProcess(home, '--no-demo')
    expect((await capstan(home, 'members', 'add', 'ada')).out).toContain('works on this machine only')
    const again = await capstan(home, 'login', '--user', 'ada')
    expect(again.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?ticket=\S+\n$/)
    expect(again.err).toContain('works on this machine only')
  })

  it('connects an app from a terminal at once, through the browser, or not at all', async () => {
    const home = await createHome()
    const server = await startServerProcess(home)
    const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json')
    const post: McpServerPost = {
      name: 'Memory',
      transport: {
        type: 'stdio',
        command: process.execPath,
        args: [join(program, '..', 'dist', 'index.js')],
      },
    }
    const { command } = await server.request<McpServerPreview>('POST', '/api/mcp-servers/preview', post)
    await server.request('POST', '/api/mcp-servers', { ...post, confirmedCommand: command })
    expect(await capstan(home, 'connect', 'memory')).toMatchObject({ code: 0, out: 'memory is connected.\n' })
    const waits = await capstan(home, 'connect', 'notes', '--no-wait', '--json')
    expect(waits.code).toBe(3)
    expect(JSON.parse(waits.out)).toMatchObject({ toolkit: 'notes', status: 'pending' })
    expect(waits.err).toContain(`${server.url}/login?ticket=`)
    expect(await capstan(home, 'connect', 'nothing')).toMatchObject({
      code: 1,
      err: 'capstan: There is no app "nothing". "capstan toolkits" lists them.\n',
    })
    expect((await capstan(home, 'toolkits', 'actions', 'memory')).out).toMatch(
      /read_graph +read +by its name/,
    )
    expect(await capstan(home, 'toolkits', 'effect', 'memory', 'read_graph', 'write')).toMatchObject({
      code: 0,
      out: 'read_graph counts as write now (set by you).\n',
    })
    const trusted = await capstan(home, 'toolkits', 'trust', 'memory', 'on', '--json')
    expect(JSON.parse(trusted.out)).toEqual({ slug: 'memory', isTrusted: true })
    expect(await capstan(home, 'toolkits', 'effect', 'memory', 'read_graph', 'all')).toMatchObject({
      code: 2,
    })
    expect(await capstan(home, 'toolkits', 'effect', 'memory', 'no_such', 'read')).toMatchObject({
      code: 1,
      err: 'capstan: There is no action "no_such" in this app.\n',
    })
    await server.end('SIGTERM')
    const [, again] = (await capstan(home, 'toolkits')).out.split('\n')
    expect(again).toMatch(/^memory +connected/)
  })

  it('lets a terminal wait for a sign-in in the browser, and leaves no pending connection', async () => {
    const home = await createHome()
    const server = await startServerProcess(home)
    const connections = async () =>
      (await server.request<ToolkitList>('GET', '/api/toolkits')).toolkits.flatMap(
        (toolkit) => toolkit.connections,
      )
    const waiting = capstan(home, 'connect', 'notes')
    await pollUntil(async () => (await connections())[0])
    await connect(server)
    expect(await waiting).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^notes is connected/) as string,
    })
    expect((await connections()).map(({ status }) => status)).toEqual(['active'])
    await server.end('SIGTERM')
  })

  it('accepts the host of --origin and refuses other hosts', async () => {
    const home = await createHome()
    const server = await startServerProcess(home, '--no-demo', '--origin', 'https://capstan.example.org')
    const { port } = new URL(server.url)
    const statusAs = async (host: string): Promise<string> => {
      const socket = connectTo(Number(port), '127.0.0.1')
      socket.write(`GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      return (await readAll(socket)).slice(9, 12)
    }
    expect(await statusAs('capstan.example.org')).toBe('200')
    expect(await statusAs(`127.0.0.1:${port}`)).toBe('200')
    expect(await statusAs('evil.example.org')).toBe('403')
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('prints one sentence when it cannot start', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    const port = String((taken.address() as AddressInfo).port)
    const home = await createHome()
    const file = join(home, 'a-file')
    await writeFile(file, '')
    const attempts = [
      [1, `Port ${port} is taken by another program`, ['--port', port]],
      [1, 'cannot be written (ENOTDIR)', ['--port', '0', '--home', join(file, 'home')]],
      [
        2,
        'OPENAI_API_KEY is not set, and openai/gpt-6-sol needs it',
        ['--port', '0', '--model', 'openai/gpt-6-sol'],
      ],
      [2, '--port is a whole number', ['--port', 'many']],
      [2, '--log is one of', ['--log', 'loud']],
      [2, '--origin is an address', ['--origin', 'capstan.example.org']],
      [2, '--origin is an address', ['--origin', 'https://example.org/capstan']],
    ] as const
    for (const [code, text, args] of attempts) {
      const ended = await capstan(home, 'serve', ...args)
      expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' })
      const lines = ended.err.trim().split('\n')
      expect(lines.at(-1)).toContain(text)
      expect(lines.at(-1)).toMatch(/^capstan: [^\n]+\.$/)
    }
  })
})
