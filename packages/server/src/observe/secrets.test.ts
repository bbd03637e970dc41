import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionRow, EventPage, SignInReply, ThreadSummary } from '@capstan/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { createBrowser } from '../../../../examples/notes-app/src/testing/browser.ts'
import { openAuth } from '../auth/auth.ts'
import { redeem, toClient } from '../http/test-server.fixture.ts'
import { startServer } from '../serve.ts'
import { createFolder, NO_MODELS, openWorld, startNotes, toPreset } from '../sessions/assistant.fixture.ts'
import { createLogger } from './logger.ts'

const MODEL_KEY = 'seeded-model-key-5f1c9a7e3b'
const COMPOSIO_KEY = 'seeded-composio-key-0d4e8b6a21'

/** Collects everything the server writes and sends. */
it('the server writes no secret to logs, answers, updates or files', async () => {
  const written: string[] = []
  const logger = createLogger({ level: 'trace', to: { write: (line) => void written.push(line) } })
  const folder = await createFolder()
  const app = await startNotes()
  const env = { ...NO_MODELS, COMPOSIO_BASE_URL: 'http://127.0.0.1:9' }
  const world = await openWorld({ folder, env, presets: [toPreset(app)] })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant: world.assistant, auth, port: 0, logger })
  onTestFinished(() => server.stop({ graceMs: 0 }))

  const ticket = auth.mintTicket()
  const login = await redeem(server.url, ticket)
  const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!
  await fetch(`${server.url}/login?ticket=${ticket}`, { redirect: 'manual' })
  const client = toClient(server, cookie, 'local')
  async function note(path: string, init: RequestInit = {}): Promise<void> {
    const answer = await client.request(path, init)
    written.push(JSON.stringify([...answer.headers]), await answer.text())
  }
  const send = (method: string, body: unknown): RequestInit => ({
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

  await note(
    '/api/settings',
    send('PATCH', { modelKeys: { compatible: MODEL_KEY }, composioKey: COMPOSIO_KEY }),
  )
  await note('/api/settings', send('PATCH', { model: 'demo' }))
  await note('/api/settings/test-model', send('POST', { model: 'http://127.0.0.1:9/v1#none' }))

  const { id } = await client.json<ConnectionRow>('POST', '/api/connections', { toolkit: 'notes' })
  const reply = await client.json<SignInReply>('POST', `/api/connections/${id}/sign-in`)
  if (reply.type !== 'visit') throw new Error(reply.type)
  const browser = createBrowser(app.url)
  await browser.open(reply.url)
  const back = await browser.submit({ account: 'ada', decision: 'allow' })
  if (back.type !== 'left') throw new Error('still there')
  const { search, searchParams } = back.to
  await note(`/oauth/callback${search}`)
  await note(`/oauth/callback${search}`)

  const thread = await client.json<ThreadSummary>('POST', '/api/threads', {})
  await note(
    `/api/threads/${thread.id}/messages`,
    send('POST', { text: 'What is in my Notes?', messageId: 'm1' }),
  )
  await world.assistant.threadsOf('local').idle()
  const { events } = await client.json<EventPage>('GET', `/api/threads/${thread.id}/events`)
  expect(events.length).toBeGreaterThan(3)
  const paths = [
    '/api/settings',
    '/api/toolkits',
    '/api/diagnostics',
    '/api/export',
    '/metrics',
    '/api/nothing',
  ]
  for (const path of [...paths, `/api/threads/${thread.id}/events`, `/api/threads/${thread.id}/export`])
    await note(path)
  await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${auth.token}` } })
  await note('/api/logout', { method: 'POST' })
  await server.stop({ graceMs: 0 })

  written.push(JSON.stringify(world.updates), ...world.problems.map(String))
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) written.push((await readFile(join(file.parentPath, file.name))).toString('latin1'))
  const text = written.join('\n')
  const secrets = {
    ticket,
    cookie: cookie.split('=')[1]!,
    token: auth.token,
    code: searchParams.get('code')!,
    state: searchParams.get('state')!,
    MODEL_KEY,
    COMPOSIO_KEY,
  }
  expect(text).toContain('a sign-in was refused')
  for (const [name, secret] of Object.entries(secrets)) expect(text.includes(secret), name).toBe(false)
}, 60_000)
