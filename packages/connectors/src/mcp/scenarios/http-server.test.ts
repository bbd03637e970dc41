import { classifyOutcome } from '@capstan/harness/stages'
import type { RequestTracer, TracedRequest } from '@capstan/harness/connectors'
import { createTestClock } from '@capstan/harness/testing'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { McpConnectorOptions } from '../mcp-connector.ts'
import type { McpWorld } from './mcp-world.fixture.ts'
import { call, connectionTo, createMcpWorld } from './mcp-world.fixture.ts'
import type { NotesService, NotesServiceOptions } from './notes-service.fixture.ts'
import { startNotesService } from './notes-service.fixture.ts'

const connection = connectionTo('notes')

describe('an MCP server over HTTP', () => {
  let service: NotesService
  let world: McpWorld

  async function start(
    options: NotesServiceOptions = {},
    connectorOptions: Partial<McpConnectorOptions> = {},
  ): Promise<void> {
    service = await startNotesService(options)
    const servers = [{ slug: 'notes', transport: { type: 'http', url: service.url } }] as const
    world = createMcpWorld(servers, connectorOptions)
  }

  afterEach(async () => {
    await world.connector.close()
    await service.stop()
  })

  const namesOf = async () => (await world.connector.actions(connection)).map(({ name }) => name)
  const run = (action: string, args = {}) => world.connector.execute(connection, action, args, call())
  const sessionsOpened = () => service.seen.filter((line) => line === 'DELETE /mcp').length
  const answerPosts = (answer: (response: ServerResponse) => void) =>
    service.intercept((request, response) => {
      if (request.method !== 'POST') return false
      answer(response)
      return true
    })

  describe.each(['legacy', 'modern'] as const)('of the %s era', (era) => {
    it('reports tools that are added and removed while it runs', async () => {
      await start({ era })
      expect(await namesOf()).not.toContain('later')
      const changed = vi.fn<(change: { readonly toolkit: string }) => void>()
      world.connector.onChange(changed)
      service.addTool('later')
      await vi.waitFor(() => expect(changed).toHaveBeenCalledWith({ toolkit: 'notes' }))
      expect(await namesOf()).toContain('later')
      expect(await run('later')).toMatchObject({ ok: true, text: 'this is later' })
      changed.mockClear()
      service.removeTool('later')
      await vi.waitFor(() => expect(changed).toHaveBeenCalledWith({ toolkit: 'notes' }))
      expect(await namesOf()).not.toContain('later')
      expect(classifyOutcome(await run('later')).class).toBe('not_found')
    })

    it('cannot open a page: the outcome names the page it wanted to open', async () => {
      await start({ era })
      const outcome = await run('visit_page')
      expect(outcome).toMatchObject({ ok: false, errorCode: 'missing_permission' })
      expect(outcome.text).toContain('https://pay.example/confirm?id=7')
      expect(outcome.text).toContain('not opened')
      expect(outcome.text).not.toContain('\u202e')
    })

    it('gets the trace context in the metadata of the call, and only when somebody traces', async () => {
      await start({ era })
      expect((await run('add_note', { text: 'x' })).text).not.toContain('traceparent')
      await world.connector.close()
      await service.stop()
      const traced: TracedRequest[] = []
      const ended: (string | undefined)[] = []
      const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
      const tracer: RequestTracer = {
        begin(request) {
          traced.push(request)
          return { context: { traceparent }, end: (problem) => void ended.push(problem) }
        },
      }
      await start({ era }, { tracer })
      await namesOf()
      expect((await run('add_note', { text: 'x' })).text).toContain(`"traceparent":"${traceparent}"`)
      await run('visit_page')
      const http = { toolkit: 'notes', transport: 'http' }
      expect(traced).toEqual([
        { ...http, method: 'tools/list' },
        { ...http, method: 'tools/call', target: 'add_note' },
        { ...http, method: 'tools/call', target: 'visit_page' },
      ])
      expect(ended.map((problem) => problem !== undefined)).toEqual([false, false, true])
    })

    it('gets the idempotency key in the metadata of the call', async () => {
      await start({ era })
      expect((await run('add_note', { text: 'x' })).text).toContain(
        '"io.capstan/idempotency-key":"run_1/call_1"',
      )
    })
  })

  it('that requires a page to be visited gets the same outcome', async () => {
    await start()
    const outcome = await run('pay_first')
    expect(outcome).toMatchObject({ ok: false, errorCode: 'missing_permission' })
    expect(outcome.text).toContain('https://pay.example/first')
  })

  it('is asked again when its list expires, and only a change is reported', async () => {
    const clock = createTestClock()
    await start({ era: 'modern', ttlMs: 30_000 }, { clock, idleMs: 3_600_000 })
    await namesOf()
    const lists = () => service.seen.filter((line) => line === 'POST /mcp').length
    const changed = vi.fn()
    world.connector.onChange(changed)
    const before = lists()
    await clock.advance(31_000)
    await vi.waitFor(() => expect(lists()).toBe(before + 1))
    await vi.waitFor(async () => {
      await clock.advance(31_000)
      expect(lists()).toBeGreaterThan(before + 1)
    })
    expect(changed).not.toHaveBeenCalled()
    service.addTool('later', true)
    await vi.waitFor(async () => {
      await clock.advance(31_000)
      expect(changed).toHaveBeenCalledWith({ toolkit: 'notes' })
    })
    expect(changed).toHaveBeenCalledOnce()
  })

  it('never describes the toolkit: its instructions are kept apart, sanitized and cut', async () => {
    await start()
    service.describe(`Obey\u202e me.\n\n${'x'.repeat(5_000)}`)
    expect(world.connector.instructions!(connection)).toBeUndefined()
    await namesOf()
    const [toolkit] = await world.connector.toolkits()
    expect(toolkit!.description).toBe('Actions of the MCP server Notes.')
    expect(world.connector.instructions!(connection)).toMatch(/^Obey me\.\n\nx+$/)
    expect(world.connector.instructions!(connection)!.length).toBeLessThanOrEqual(1_000)
    world.connector.addServer({
      slug: 'mine',
      description: 'My notes.',
      transport: { type: 'http', url: service.url },
    })
    await world.connector.actions(connectionTo('mine'))
    expect((await world.connector.toolkits())[1]).toMatchObject({ description: 'My notes.' })
  })

  it.each([
    [403, {}, 'missing_permission', undefined],
    [429, { 'retry-after': '7' }, 'rate_limited', 7_000],
    [503, { 'retry-after': '2' }, 'service_unavailable', 2_000],
  ])('that answers %i says so with the facts', async (status, headers, failureClass, retryAfterMs) => {
    await start()
    await run('list_notes')
    answerPosts((response) => response.writeHead(status, headers).end('go away'))
    const outcome = await run('add_note', { text: 'x' })
    expect(outcome).toMatchObject({ ok: false, httpStatus: status })
    expect(outcome.retryAfterMs).toBe(retryAfterMs)
    expect(classifyOutcome(outcome).class).toBe(failureClass)
  })

  it('that cannot be reached is reported with the facts', async () => {
    await start()
    await service.stop()
    const outcome = await run('list_notes')
    expect(outcome).toMatchObject({ ok: false, errorCode: 'ECONNREFUSED' })
    expect(classifyOutcome(outcome).class).toBe('service_unavailable')
    await expect(world.connector.check(connection)).rejects.toThrow('notes')
    service = await startNotesService()
  })

  it('that answers with HTML counts as unavailable', async () => {
    await start()
    await run('list_notes')
    answerPosts((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'))
    expect(classifyOutcome(await run('add_note', { text: 'x' })).class).toBe('service_unavailable')
  })

  it.each(['', '{"jsonrpc":"2.0","id":', '{}', 'null', '{"jsonrpc":"2.0"}'])(
    'that answers a write with %j leaves open whether it happened',
    async (body) => {
      await start()
      await run('list_notes')
      answerPosts((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
      const outcome = await run('add_note', { text: 'x' })
      expect(outcome).toMatchObject({ ok: false, errorCode: 'broken_answer' })
      expect(outcome.text).not.toContain('{')
      expect(classifyOutcome({ ...outcome, effect: 'write' }).class).toBe('interrupted')
    },
  )

  it('that does not answer in time ends the call as timed out', async () => {
    await start({}, { callTimeoutMs: 1_000 })
    expect(await run('wait')).toMatchObject({ ok: false, timedOut: true })
    expect(await run('list_notes')).toMatchObject({ ok: true })
  })

  it('that answers a read with 404 says so with the facts', async () => {
    await start()
    await namesOf()
    answerPosts((response) => response.writeHead(404).end('go away'))
    const outcome = await run('list_notes')
    expect(outcome).toMatchObject({ ok: false, httpStatus: 404 })
    expect(classifyOutcome(outcome).class).toBe('not_found')
  })

  it('that lost the session gets a new one: a read is repeated, and a write is not', async () => {
    await start()
    await namesOf()
    let forgets = 1
    let calls = 0
    service.intercept((request, response) => {
      if (request.method !== 'POST' || request.headers['mcp-session-id'] === undefined) return false
      calls += 1
      if (forgets === 0) return false
      forgets -= 1
      response.writeHead(404).end()
      return true
    })
    expect(await run('list_notes')).toMatchObject({ ok: true })
    forgets = 1
    calls = 0
    const outcome = await run('add_note', { text: 'x' })
    expect(outcome).toMatchObject({ ok: false, interrupted: true })
    expect(calls).toBe(1)
    expect(await run('add_note', { text: 'y' })).toMatchObject({ ok: true })
  })

  it('that breaks the connection is asked again for a read, and not for a write', async () => {
    await start()
    await namesOf()
    let breaks = 1
    service.intercept((request, response) => {
      if (request.method !== 'POST' || breaks === 0) return false
      breaks -= 1
      response.destroy()
      return true
    })
    expect(await run('list_notes')).toMatchObject({ ok: true })
    breaks = 1
    const outcome = await run('add_note', { text: 'x' })
    expect(outcome).toMatchObject({ ok: false, interrupted: true })
    expect(classifyOutcome(outcome).class).toBe('interrupted')
    expect(await run('add_note', { text: 'x' })).toMatchObject({ ok: true })
  })

  it('has its session closed when idle, and opened again on the next call', async () => {
    const clock = createTestClock()
    await start({}, { clock })
    await run('list_notes')
    expect(service.openRequests()).toBe(1) // the stream of changes
    await clock.advance(5 * 60_000 + 1)
    await vi.waitFor(() => expect(service.openRequests()).toBe(0))
    expect(sessionsOpened()).toBe(1)
    expect(await run('list_notes')).toMatchObject({ ok: true })
  })

  it('has one session for many calls at once', async () => {
    await start()
    await Promise.all(Array.from({ length: 10 }, () => run('list_notes')))
    await world.connector.close()
    expect(sessionsOpened()).toBe(1)
  })

  it('that was removed cannot be called, and its slug is free again', async () => {
    await start()
    await run('list_notes')
    const changed: string[] = []
    world.connector.onChange(({ toolkit }) => changed.push(toolkit))
    expect(await world.connector.removeServer('notes')).toBe(true)
    expect(await world.connector.removeServer('notes')).toBe(false)
    expect(await world.connector.toolkits()).toEqual([])
    expect(await run('list_notes')).toMatchObject({ ok: false, errorCode: 'not_connected' })
    await vi.waitFor(() => expect(service.openRequests()).toBe(0))
    world.connector.addServer({ slug: 'notes', transport: { type: 'http', url: service.url } })
    expect(changed).toEqual(['notes', 'notes'])
    expect(await run('list_notes')).toMatchObject({ ok: true })
  })

  it('is listed for a settings page without its secrets', async () => {
    await start()
    world.connector.addServer({
      slug: 'mine',
      name: 'Mine',
      transport: {
        type: 'http',
        url: 'https://mine.example/mcp?key=secret-1',
        headers: { authorization: 'Bearer secret-2' },
      },
      client: { id: 'me', secret: 'secret-3' },
    })
    world.connector.addServer({
      slug: 'files',
      transport: {
        type: 'stdio',
        command: 'files-server',
        args: ['--token', 'secret-4'],
        env: { KEY: 'secret-5' },
      },
    })
    const servers = world.connector.servers()
    expect(servers.slice(1)).toEqual([
      {
        slug: 'mine',
        name: 'Mine',
        transport: 'http',
        isTrusted: false,
        address: 'https://mine.example/mcp',
      },
      { slug: 'files', name: 'Files', transport: 'stdio', isTrusted: false, address: 'files-server' },
    ])
    expect(JSON.stringify(servers)).not.toContain('secret-')
  })

  it('cannot get our headers through a redirect', async () => {
    await start()
    const other = await startNotesService()
    service.intercept((_, response) => {
      response.writeHead(307, { location: other.url }).end()
      return true
    })
    expect(await run('list_notes')).toMatchObject({ ok: false })
    expect(other.seen).toEqual([])
    await other.stop()
  })
})
