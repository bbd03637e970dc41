import { createLocalConnector } from '@capstan/connectors'
import { ScriptedModel, calls, says, stubTool } from '@capstan/harness/testing'
import type {
  ApiProblem,
  ApprovalList,
  ConnectionRow,
  EventPage,
  LoginRow,
  MemoryFact,
  GrantList,
  MessageReceipt,
  ScheduleRow,
  Settings,
  SettingsPatch,
  ThreadPage,
  ThreadSummary,
} from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Client, TestServer } from '../test-server.fixture.ts'
import { startTestServer } from '../test-server.fixture.ts'
import type { Route } from '../route.ts'
import { ROUTES } from '../routes/routes.ts'

/** Every id that belongs to a user, by its name in a path. */
type Ids = Readonly<Record<string, string>>

const UNKNOWN: Ids = {
  threadId: 'thread_unknown',
  runId: 'run_unknown',
  approvalId: 'approval_unknown',
  connectionId: 'connection_unknown',
  artifactId: 'artifact_unknown',
  ref: 'media_unknown',
  grantId: 'grant_unknown',
  slug: 'nothing',
  toolkit: 'nothing',
  loginId: 'login_unknown',
  jobId: 'job_unknown',
  triggerId: 'trigger_unknown',
  sourceId: 'source_unknown',
  scheduleId: 'schedule_unknown',
  itemId: 'item_unknown',
  factId: 'fact_unknown',
  app: 'nothing',
  userId: 'nobody',
  name: 'nothing',
}
/** Ids of the installation, which belong to no user, and names that each user gives. */
const SHARED = new Set(['slug', 'toolkit', 'userId', 'name'])

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function startWithAda(): Promise<{ server: TestServer; ada: Client; ids: Ids }> {
  const server = await startTestServer({
    limits: {
      requests: { burst: 1000, perSecond: 1000 },
      messages: { burst: 100, perSecond: 100 },
      strangers: { burst: 1000, perSecond: 1000 },
    },
    model: new ScriptedModel(
      calls('send', { to: 'bob' }),
      says('Sent.'),
      calls('send', { to: 'bob' }),
      says('Sent.'),
    ),
    connectors: [
      createLocalConnector({
        toolkits: [
          {
            slug: 'notes',
            name: 'Notes',
            description: 'Pages.',
            sync: () => ({ kind: 'list', page: async () => ({ entries: [] }) }),
            actions: [],
          },
        ],
      }),
    ],
    agent: {
      tools: [stubTool('send', () => 'sent', { effect: 'write' })],
      safety: { mode: 'supervised' },
    },
  })
  const ada = await server.logIn('ada')
  const grants = await giveGrant(server, ada)
  const { id: threadId } = await ada.json<ThreadSummary>('POST', '/api/threads', { title: 'A secret plan' })
  const { runId } = await ada.json<MessageReceipt>('POST', `/api/threads/${threadId}/messages`, {
    text: 'Send it.',
    messageId: 'message_1',
    attachments: [{ name: 'a.png', mediaType: 'image/png', data: PNG.toString('base64') }],
  })
  await server.assistant.threadsOf('ada').idle()
  const { approvals } = await ada.json<ApprovalList>('GET', '/api/approvals')
  const connection = await ada.json<ConnectionRow>('POST', '/api/connections', { toolkit: 'notes' })
  await ada.json('POST', `/api/connections/${connection.id}/sign-in`)
  const writer = server.assistant.store.artifacts.create({ threadId, callId: 'call_1', tool: 'send' })
  await writer.write('A secret result.')
  const artifact = await writer.close()
  const { events } = await ada.json<EventPage>('GET', `/api/threads/${threadId}/events`)
  const { logins } = await ada.json<{ logins: readonly LoginRow[] }>('GET', '/api/logins')
  const { job } = await server.assistant.jobs.add({
    id: 'job_1',
    userId: 'ada',
    kind: 'sync',
    key: 'job_1',
    title: 'A secret job',
    body: null,
    nextAt: 4_000_000_000_000,
  })
  const { triggers } = server.assistant
  const { source } = await triggers.sources.add('ada', { kind: 'generic', name: 'A secret source' })
  const occurrence = { externalId: '1', label: 'A secret trigger', payload: '{}' }
  const trigger = await triggers.receive('ada', source.id, occurrence)
  const schedule = await ada.json<ScheduleRow>('POST', '/api/schedules', {
    prompt: 'A secret prompt',
    when: 'hourly',
  })
  const { memory } = server.assistant.store
  const item = {
    id: 'item_1',
    app: 'diary_of_ada',
    externalId: '1',
    at: 0,
    title: 'A secret page',
    text: 'A secret.',
  }
  await memory.put('ada', [{ ...item, people: [], seenAt: 0 }])
  const fact = await ada.json<MemoryFact>('POST', '/api/memory/facts', { text: 'A secret wish.' })
  const [start] = events
  const ref = start?.type === 'turn-start' ? start.attachments?.[0]?.ref : undefined
  if (ref === undefined) throw new Error('no attachment')
  const ids = {
    threadId,
    runId: runId!,
    approvalId: approvals[0]!.id,
    connectionId: connection.id,
    artifactId: artifact.id,
    ref,
    grantId: grants[0]!.id,
    slug: 'notes',
    toolkit: 'notes',
    loginId: logins[0]!.id,
    jobId: job.id,
    triggerId: trigger!.id,
    sourceId: source.id,
    scheduleId: schedule.id,
    itemId: 'item_1',
    factId: fact.id,
    app: 'diary_of_ada',
    userId: 'ada',
  }
  return { server, ada, ids }
}

/** Answers an approval in a thread of its own, so that there is a grant. */
async function giveGrant({ assistant }: TestServer, ada: Client): Promise<GrantList['grants']> {
  const { id } = await ada.json<ThreadSummary>('POST', '/api/threads', {})
  const message = { text: 'Send it.', messageId: 'message_0' }
  await ada.json<MessageReceipt>('POST', `/api/threads/${id}/messages`, message)
  await assistant.threadsOf('ada').idle()
  const { approvals } = await ada.json<ApprovalList>('GET', '/api/approvals')
  await ada.json('POST', `/api/approvals/${approvals[0]!.id}`, { decision: 'allow-thread' })
  await assistant.threadsOf('ada').idle()
  return (await ada.json<GrantList>('GET', '/api/grants')).grants
}

const namesOf = ({ path }: Route): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
const toPath = ({ path }: Route, ids: Ids): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name]!))
const owned = ROUTES.filter((route) => namesOf(route).some((name) => !SHARED.has(name)))

async function ask(client: Client, route: Route, ids: Ids) {
  const { method, example } = route
  const sent =
    route.body === undefined
      ? {}
      : { body: JSON.stringify(example), headers: { 'content-type': 'application/json' } }
  const answer = await client.request(toPath(route, ids), { method, ...sent })
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status: answer.status, headers, body: await answer.text() }
}

describe('the list of routes', () => {
  it('has an example for every body that its schema accepts', () => {
    for (const { body, example, path } of ROUTES)
      if (body) expect(body.safeParse(example), path).toMatchObject({ success: true })
    expect(owned.length).toBeGreaterThanOrEqual(18)
  })

  it('names only ids that this test knows', () => {
    for (const route of ROUTES) for (const name of namesOf(route)) expect(UNKNOWN).toHaveProperty(name)
  })
})

describe("another user's id", () => {
  it('is answered on every route like an unknown id, and nothing changes', async () => {
    const { server, ada, ids } = await startWithAda()
    const eve = await server.logIn('eve')
    for (const route of owned) {
      const where = `${route.method} ${route.path}`
      const unknown = await ask(eve, route, UNKNOWN)
      const foreign = await ask(eve, route, ids)
      expect(foreign, where).toEqual(unknown)
      expect(unknown.status, where).toBe(404)
      expect((JSON.parse(unknown.body) as ApiProblem).error.code, where).toBe('not_found')
    }
    // Everything is still there and belongs to Ada.
    for (const route of owned.filter(({ method, path }) => method === 'GET' && !path.endsWith('/stream')))
      expect((await ask(ada, route, ids)).status, route.path).toBe(200)
    expect((await ada.json<ApprovalList>('GET', '/api/approvals')).approvals).toHaveLength(1)
  })

  it('is in no list, search or export', async () => {
    const { server, ids } = await startWithAda()
    const eve = await server.logIn('eve')
    const lists = ROUTES.filter(
      (route) =>
        route.method === 'GET' && namesOf(route).length === 0 && ['open', 'user'].includes(route.rights),
    )
    const paths = [
      ...lists.map(({ path }) => (path.endsWith('search') ? `${path}?q=secret` : path)),
      `/api/runs?threadId=${ids['threadId']}`,
    ]
    const secrets = Object.keys(UNKNOWN).filter((name) => !SHARED.has(name) && name !== 'tool')
    for (const path of paths) {
      const answer = await eve.request(path)
      const body = await answer.text()
      expect(answer.status, path).toBe(200)
      for (const name of secrets) expect(body, path).not.toContain(ids[name])
      expect(body, path).not.toContain('secret plan')
    }
  })

  it('opens nothing when it is combined with an own thread', async () => {
    const { server, ids } = await startWithAda()
    const eve = await server.logIn('eve')
    const { id: threadId } = await eve.json<ThreadSummary>('POST', '/api/threads', {})
    for (const route of owned.filter(({ path }) => /:(artifactId|ref)/.test(path))) {
      const unknown = await ask(eve, route, { ...UNKNOWN, threadId })
      expect(await ask(eve, route, { ...ids, threadId })).toEqual(unknown)
      expect(unknown.status).toBe(404)
    }
    const stopped = await eve.request(`/api/threads/${threadId}/stop`, {
      method: 'POST',
      body: JSON.stringify({ runId: ids['runId'] }),
      headers: { 'content-type': 'application/json' },
    })
    expect(stopped.status).toBe(204)
    const run = await server.assistant.store.runs.get(ids['runId'] as never)
    expect(run?.status).toBe('waiting')
  })
})

describe('a part of the installation', () => {
  it('is reachable for the owner alone', async () => {
    const { server, ids } = await startWithAda()
    const [eve, owner] = [await server.logIn('eve'), await server.logIn('local')]
    const routes = ROUTES.filter(({ rights }) => rights.endsWith('owner'))
    expect(routes.map(({ method, path, rights }) => `${method} ${path} ${rights}`)).toEqual([
      'GET /api/members owner',
      'POST /api/members fresh-owner',
      'POST /api/members/:userId/link fresh-owner',
      'PATCH /api/members/:userId fresh-owner',
      'DELETE /api/members/:userId fresh-owner',
      'GET /api/mcp-servers owner',
      'POST /api/mcp-servers/preview owner',
      'POST /api/mcp-servers fresh-owner',
      'PATCH /api/mcp-servers/:slug fresh-owner',
      'GET /api/mcp-servers/:slug/sync-proposals owner',
      'DELETE /api/mcp-servers/:slug owner',
      'POST /api/settings/test-model owner',
      'GET /api/sandbox owner',
      'GET /api/diagnostics owner',
      'PUT /api/spending owner',
    ])
    for (const route of routes) {
      expect((await ask(eve, route, ids)).status, route.path).toBe(403)
      expect((await ask(owner, route, ids)).status, route.path).not.toBe(403)
    }
    expect((await eve.request('/metrics')).status).toBe(403)
    expect((await owner.request('/metrics')).status).toBe(200)
  })

  it.each<[string, SettingsPatch]>([
    ['model', { model: 'http://127.0.0.1:9/v1#a' }],
    ['modelKeys', { modelKeys: { compatible: 'a-key' } }],
    ['roots', { roots: ['/'] }],
    ['composioKey', { composioKey: '' }],
  ])('does not let other users set %s, even together with their own fields', async (field, patch) => {
    const server = await startTestServer()
    const eve = await server.logIn('eve')
    const answer = await eve.request('/api/settings', {
      method: 'PATCH',
      body: JSON.stringify({ theme: 'dark', ...patch }),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(403)
    expect(((await answer.json()) as ApiProblem).error).toMatchObject({ code: 'forbidden', field })
    const settings = await eve.json<Settings>('GET', '/api/settings')
    expect(settings).toMatchObject({ theme: 'system', dataFolder: '' })
    await eve.json('PATCH', '/api/settings', { theme: 'dark' })
    const owner = await server.logIn('local')
    await owner.json('PATCH', '/api/settings', patch)
    expect((await owner.json<Settings>('GET', '/api/settings')).dataFolder).toBe('/data')
  })

  it('is not changed when another user resets their data', async () => {
    const { server, ada, ids } = await startWithAda()
    const eve = await server.logIn('eve')
    await eve.json('POST', '/api/threads', {})
    await eve.json('POST', '/api/reset', { confirm: 'reset' })
    expect((await eve.json<ThreadPage>('GET', '/api/threads')).threads).toEqual([])
    const { threads } = await ada.json<ThreadPage>('GET', '/api/threads')
    expect(threads.map(({ id }) => id)).toContain(ids['threadId'])
  })
})

describe('a request without a login', () => {
  it('gets the same answer on every route that is not open', async () => {
    const { server, ids } = await startWithAda()
    const answers = new Set<string>()
    for (const route of ROUTES.filter(({ rights }) => rights !== 'open')) {
      const answer = await fetch(`${server.url}${toPath(route, ids)}`, {
        method: route.method,
        headers: { origin: server.url, 'content-type': 'application/json' },
        ...(route.body ? { body: JSON.stringify(route.example) } : {}),
      })
      answers.add(`${answer.status} ${await answer.text()}`)
    }
    for (const path of ['/api/nothing', '/api/openapi.json', '/metrics']) {
      const answer = await fetch(`${server.url}${path}`)
      answers.add(`${answer.status} ${await answer.text()}`)
    }
    expect([...answers]).toHaveLength(1)
    expect([...answers][0]).toMatch(/^401 .*signed_out/)
  })
})
