import { quietClock } from '@capstan/harness/seams'
import { classifyOutcome } from '@capstan/harness/stages'
import type { ConnectionState } from '@capstan/harness/connectors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { McpWorld } from './mcp-world.fixture.ts'
import { call, connectionTo, createMcpWorld } from './mcp-world.fixture.ts'
import type { NotesService, NotesServiceOptions } from './notes-service.fixture.ts'
import { startNotesService } from './notes-service.fixture.ts'
import type { StoredSignIn } from '../sign-in/stored-sign-in.ts'

const REDIRECT_URI = 'http://127.0.0.1:8787/oauth/callback'
const STATE = 'state-0123456789abcdef0123456789abcdef'
const connection = connectionTo('notes')

describe('signing in at an MCP server', () => {
  let service: NotesService
  let world: McpWorld
  let offsetMs = 0

  async function start(options: NotesServiceOptions = {}): Promise<void> {
    offsetMs = 0
    service = await startNotesService({ isGuarded: true, ...options })
    world = createMcpWorld([{ slug: 'notes', transport: { type: 'http', url: service.url } }], {
      clock: { ...quietClock, now: () => Date.now() + offsetMs },
    })
  }

  afterEach(async () => {
    vi.restoreAllMocks()
    await world.connector.close()
    await service.stop()
  })

  async function begin(): Promise<URL> {
    const step = await world.connector.beginSignIn(connection, { state: STATE, redirectUri: REDIRECT_URI })
    if (step.type !== 'visit') throw new Error(`settled: ${step.reason}`)
    return new URL(step.url)
  }

  const finish = (params: URLSearchParams): Promise<ConnectionState> =>
    world.connector.finishSignIn(connection, { params, redirectUri: REDIRECT_URI })

  async function signIn(): Promise<void> {
    expect(await finish(await service.visit((await begin()).href, 'allow'))).toMatchObject({
      status: 'active',
    })
  }

  const stored = async () => (await world.vault.read(connection.id)) as unknown as StoredSignIn | undefined
  const list = () => world.connector.execute(connection, 'list_notes', {}, call())
  const reasonClass = ({ reason }: ConnectionState) => classifyOutcome({ text: reason ?? '' }).class

  it('opens the sign-in page with state, redirect URI, PKCE and resource', async () => {
    await start()
    const url = await begin()
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      state: STATE,
      redirect_uri: REDIRECT_URI,
      code_challenge_method: 'S256',
      resource: service.url,
      scope: 'notes:read notes:write offline_access openid',
    })
    const { verifier } = (await stored())!
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
    expect(url.href).not.toContain(verifier)
  })

  it('keeps the tokens in the vault and forgets the verifier', async () => {
    await start()
    await signIn()
    const secret = (await stored())!
    expect(secret.tokens).toMatchObject({ access: expect.any(String), refresh: expect.any(String) })
    expect(secret.verifier).toBeUndefined()
    expect(await list()).toMatchObject({ ok: true, text: expect.stringContaining('buy milk') })
  })

  it('labels the connection with the account the service names', async () => {
    await start()
    const state = await finish(await service.visit((await begin()).href, 'allow'))
    expect(state).toEqual({ status: 'active', label: 'ada@notes.example' })
  })

  it('sends no token to a server that replaced the one it was issued for', async () => {
    await start()
    await signIn()
    const { access } = (await stored())!.tokens!
    const other = await startNotesService({ isGuarded: true })
    const sent: (string | undefined)[] = []
    other.intercept((request) => {
      sent.push(request.headers.authorization)
      return false
    })
    await world.connector.removeServer('notes')
    world.connector.addServer({ slug: 'notes', transport: { type: 'http', url: other.url } })
    expect(await list()).toMatchObject({ ok: false, httpStatus: 401 })
    await begin()
    expect(await list()).toMatchObject({ ok: false, httpStatus: 401 })
    expect(sent.join(' ')).not.toContain(access)
    await other.stop()
  })

  it('accepts a code once', async () => {
    await start()
    const params = await service.visit((await begin()).href, 'allow')
    expect(await finish(params)).toMatchObject({ status: 'active' })
    expect(await finish(params)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('Start again'),
    })
  })

  it('registers once for a connection that is signed in again', async () => {
    await start()
    await signIn()
    await signIn()
    expect(service.seen.filter((line) => line === 'POST /reg')).toHaveLength(1)
  })

  it('refuses a callback from another sign-in service', async () => {
    await start()
    const params = await service.visit((await begin()).href, 'allow')
    params.set('iss', 'https://elsewhere.example')
    const before = service.seen.length
    expect(await finish(params)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('another'),
    })
    expect(service.seen.slice(before)).toEqual([])
    expect((await stored())?.tokens).toBeUndefined()
  })

  it('reports a consent that the person declined', async () => {
    await start()
    const state = await finish(await service.visit((await begin()).href, 'deny'))
    expect(state).toMatchObject({ status: 'failed', reasonCode: 'declined' })
    expect(reasonClass(state)).toBe('denied_by_user')
    expect((await stored())?.tokens).toBeUndefined()
  })

  it('reports the service as unavailable when it answers with HTML, and stores nothing', async () => {
    await start()
    const params = await service.visit((await begin()).href, 'allow')
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance, back at 5</h1>')
      return true
    })
    const state = await finish(params)
    expect(state.status).toBe('failed')
    expect(reasonClass(state)).toBe('service_unavailable')
    expect(state.reason).not.toContain('Maintenance')
    expect((await stored())?.tokens).toBeUndefined()
  })

  it('reports a timeout when the body does not arrive', async () => {
    await start()
    const params = await service.visit((await begin()).href, 'allow')
    const soon = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => soon(Math.min(ms, 150)))
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      return true
    })
    const state = await finish(params)
    expect(state.status).toBe('failed')
    expect(reasonClass(state)).toBe('timeout')
    expect((await stored())?.tokens).toBeUndefined()
  })

  it('refuses a token with fewer scopes than the server wants', async () => {
    await start()
    const params = await service.visit((await begin()).href, 'allow')
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      const answer = { access_token: 'narrow-token-1', token_type: 'Bearer', scope: 'notes:read' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      return true
    })
    const state = await finish(params)
    expect(state.status).toBe('failed')
    expect(reasonClass(state)).toBe('bad_credentials')
    expect((await stored())?.tokens).toBeUndefined()
  })

  it('renews a token the server refuses, once for 20 calls at once', async () => {
    await start()
    await signIn()
    await list()
    const before = (await stored())!.tokens!
    await service.expire()
    const outcomes = await Promise.all(Array.from({ length: 20 }, list))
    expect(outcomes.map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, () => true))
    expect(service.refreshes()).toBe(1)
    const after = (await stored())!.tokens!
    expect(after.access).not.toBe(before.access)
    expect(after.refresh).not.toBe(before.refresh) // it rotates, and the family lives
    await service.expire()
    expect(await list()).toMatchObject({ ok: true })
    expect(service.refreshes()).toBe(2)
  })

  it('renews a token shortly before it expires, once for 20 calls at once', async () => {
    await start()
    await signIn()
    offsetMs = 3_590_000
    const outcomes = await Promise.all(Array.from({ length: 20 }, list))
    expect(outcomes.every(({ ok }) => ok)).toBe(true)
    expect(service.refreshes()).toBe(1)
  })

  it('uses a token that is still valid when it cannot be renewed now', async () => {
    await start()
    await signIn()
    offsetMs = 3_590_000
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      response.writeHead(502).end()
      return true
    })
    expect(await list()).toMatchObject({ ok: true })
    service.intercept(undefined)
    expect(await list()).toMatchObject({ ok: true })
    expect(service.refreshes()).toBe(1)
  })

  it('keeps the connection when the sign-in service is unavailable', async () => {
    await start()
    await signIn()
    await service.expire()
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      response.writeHead(502).end()
      return true
    })
    const outcome = await list()
    expect(outcome.httpStatus).not.toBe(401)
    expect(classifyOutcome(outcome).class).toBe('service_unavailable')
    service.intercept(undefined)
    expect(await list()).toMatchObject({ ok: true })
  })

  it('reports 401 when the authorisation was revoked, and asks the service only once', async () => {
    await start()
    await signIn()
    await list()
    await service.revoke((await stored())!.tokens!.refresh!)
    const outcomes = await Promise.all(Array.from({ length: 5 }, list))
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, httpStatus: 401 })
    expect(service.seen.filter((line) => line === 'POST /token')).toHaveLength(2) // the sign-in, and one attempt
    expect(await world.connector.check(connection)).toMatchObject({ status: 'expired' })
    await signIn()
    expect(await list()).toMatchObject({ ok: true })
  })

  it('uses tokens that another process renewed in the meantime', async () => {
    await start()
    await signIn()
    const other = createMcpWorld([{ slug: 'notes', transport: { type: 'http', url: service.url } }], {
      vault: world.vault,
    })
    await list()
    await service.expire()
    expect(await other.connector.execute(connection, 'list_notes', {}, call())).toMatchObject({ ok: true })
    expect(await list()).toMatchObject({ ok: true })
    expect(service.refreshes()).toBe(1)
    await other.connector.close()
  })

  it('revokes the authorisation when the connection is disconnected', async () => {
    await start()
    await signIn()
    const { access } = (await stored())!.tokens!
    await world.connector.disconnect(connection)
    expect(await stored()).toBeUndefined()
    const response = await fetch(service.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${access}` },
    })
    expect(response.status).toBe(401)
  })

  it('stores no tokens when a renewal ends after the disconnect', async () => {
    await start()
    await signIn()
    await service.expire()
    const arrived = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      arrived.resolve()
      const answer = { access_token: 'late-token-1', refresh_token: 'late-token-2', token_type: 'Bearer' }
      void letGo.promise.then(() =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      )
      return true
    })
    const running = list()
    await arrived.promise
    const gone = world.connector.disconnect(connection)
    letGo.resolve()
    await gone
    await running
    expect(await stored()).toBeUndefined()
  })

  it('is required when the server accepts the handshake without a token', async () => {
    await start({ greetsAnybody: true })
    await signIn()
    expect(await list()).toMatchObject({ ok: true })
    expect(await world.connector.toolkits()).toMatchObject([{ auth: 'oauth' }])
    await service.revoke((await stored())!.tokens!.refresh!)
    expect(await list()).toMatchObject({ httpStatus: 401 })
    await signIn()
    expect(await list()).toMatchObject({ ok: true })
  })

  it('detects that no sign-in is needed', async () => {
    await start({ isGuarded: false })
    const step = await world.connector.beginSignIn(connection, { state: STATE, redirectUri: REDIRECT_URI })
    expect(step).toEqual({ type: 'settled', status: 'active' })
    expect(await world.connector.toolkits()).toMatchObject([{ slug: 'notes', auth: 'none' }])
    expect(await world.vault.read(connection.id)).toBeUndefined()
  })

  it('leaks no token, code or verifier in what it returns, prints or throws', async () => {
    await start()
    const printed: string[] = []
    for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...args) => void printed.push(args.map(String).join(' ')))
    }
    const said: string[] = []
    const note = async (work: Promise<unknown>) => {
      said.push(
        await work.then(
          JSON.stringify,
          (error: Error) => `${error.message} ${error.stack} ${String(error.cause)}`,
        ),
      )
    }
    const secrets = new Set<string>()
    const collect = async () => {
      const secret = await stored()
      for (const value of [secret?.tokens?.access, secret?.tokens?.refresh, secret?.verifier]) {
        if (value !== undefined) secrets.add(value)
      }
    }
    const url = await begin()
    await collect()
    const params = await service.visit(url.href, 'allow')
    secrets.add(params.get('code')!)
    await note(finish(params))
    await collect()
    await note(world.connector.execute(connection, 'whoami', {}, call()))
    service.intercept((request, response) => {
      if (request.url !== '/mcp') return false
      response.writeHead(500).end(`failed for ${request.headers.authorization}`)
      return true
    })
    await note(world.connector.execute(connection, 'whoami', {}, call()))
    await note(world.connector.actions(connection))
    await note(world.connector.check(connection))
    service.intercept((request, response) => {
      if (request.url !== '/mcp') return false
      response.writeHead(400).end(`no good: ${request.headers.authorization}`)
      return true
    })
    await note(world.connector.execute(connection, 'whoami', {}, call()))
    await note(world.connector.actions(connection))
    service.intercept((request, response) => {
      if (request.url !== '/token') return false
      let body = ''
      request.on('data', (piece) => (body += String(piece)))
      request.on('end', () => {
        const error = { error: 'invalid_grant', error_description: `you sent ${decodeURIComponent(body)}` }
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error))
      })
      return true
    })
    await service.expire()
    await note(world.connector.execute(connection, 'whoami', {}, call()))
    await note(world.connector.check(connection))
    const again = await begin()
    await collect()
    await note(finish(await service.visit(again.href, 'allow')))
    const all = [
      ...said,
      ...printed,
      JSON.stringify(world.problems),
      JSON.stringify(await world.connector.toolkits()),
    ].join('\n')
    expect(secrets.size).toBeGreaterThanOrEqual(4)
    expect([...secrets].filter((secret) => all.includes(secret))).toHaveLength(0)
    expect(all).toContain('you sent')
  })
})
