import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { NotesApp, NotesAppOptions } from './start-notes-app.ts'
import { startNotesApp } from './start-notes-app.ts'
import { createBrowser } from './testing/browser.ts'
import { connectBySigningIn, connectWithToken } from './testing/mcp-client.ts'
import { REDIRECT_URI, readTokens, register, signIn, startSignIn } from './testing/sign-in.ts'

const Json = z.record(z.string(), z.unknown())
const endings: (() => Promise<unknown>)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const end of endings.splice(0).toReversed()) await end()
})

async function start(options: NotesAppOptions = {}): Promise<NotesApp> {
  const app = await startNotesApp(options)
  endings.push(() => app.close())
  return app
}

async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notes-app-'))
  endings.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function json(response: Response): Promise<z.infer<typeof Json>> {
  return Json.parse(await response.json())
}

function callMcp(
  app: NotesApp,
  token: string,
  body: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' },
): Promise<Response> {
  return fetch(app.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  })
}

/** `fetch` writes its own Host header; this does not. */
function statusWithHost(
  app: NotesApp,
  host: string,
  method = 'GET',
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${app.url}/mcp`, { method, headers: { host } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, location: response.headers.location })
    })
    request.once('error', reject)
    request.end()
  })
}

describe('finding the way in', () => {
  it('refuses without a token and says where to get one', async () => {
    const app = await start()
    const refusal = await fetch(app.mcpUrl, { method: 'POST', body: '{}' })
    expect(refusal.status).toBe(401)
    const challenge = refusal.headers.get('www-authenticate') ?? ''
    expect(challenge).toContain('scope="pages:read pages:write"')
    const metadataUrl = /resource_metadata="([^"]+)"/u.exec(challenge)?.[1] ?? ''
    expect(await json(await fetch(metadataUrl))).toMatchObject({
      resource: app.mcpUrl,
      authorization_servers: [app.url],
      scopes_supported: ['pages:read', 'pages:write'],
    })
    expect(await json(await fetch(`${app.url}/.well-known/oauth-authorization-server`))).toMatchObject({
      issuer: app.url,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      registration_endpoint: `${app.url}/oauth/register`,
      revocation_endpoint: `${app.url}/oauth/revoke`,
    })
  })

  it('lets a real client register, sign in and write a page that another account does not see', async () => {
    const app = await start()
    const ada = await connectBySigningIn(app.url, 'ada')
    endings.push(() => ada.client.close())
    await ada.client.callTool({ name: 'create_page', arguments: { title: 'Only Ada', text: 'A secret.' } })
    expect(app.pages.list('ada').map((page) => page.title)).toContain('Only Ada')

    const team = await connectBySigningIn(app.url, 'team')
    endings.push(() => team.client.close())
    const found = await team.client.callTool({ name: 'search_pages', arguments: { query: 'Only Ada' } })
    expect(found.structuredContent).toEqual({ pages: [], total: 0 })
    expect(team.client.getServerVersion()?.title).toBe('Notes: Team notebook')
  })

  // By hand: the library's client may refresh for two requests at once, which looks like a stolen token.
  it('lets a client go on with a fresh token after the old one expired', async () => {
    const app = await start({ accessTokenTtlSeconds: 60 })
    vi.useFakeTimers({ toFake: ['Date'] })
    const { signIn: begun, tokens } = await signIn(app.url, 'ada')
    vi.setSystemTime(Date.now() + 61_000)
    expect((await callMcp(app, tokens.access_token)).status).toBe(401)

    const next = readTokens(await (await begun.refresh(tokens.refresh_token)).json())
    expect(next.access_token).not.toBe(tokens.access_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await callMcp(app, next.access_token)).status).not.toBe(401)
  })
})

describe('the consent page', () => {
  it('says who asks, for what, and where one goes afterwards, without scripts', async () => {
    const app = await start()
    const visit = await (await startSignIn(app.url, { client_name: '<b>Capstan</b>' })).begin()
    if (visit.type !== 'page') throw new Error('no page was shown')
    expect(visit.html).toContain('&lt;b&gt;Capstan&lt;/b&gt; wants to use your Notes')
    expect(visit.html).toContain('Ada’s notebook')
    expect(visit.html).toContain('Team notebook')
    expect(visit.html).toContain('Create, change and delete pages.')
    expect(visit.html).toContain('127.0.0.1:9')
    expect(visit.html).toContain('<html lang="en">')
    expect(visit.html).not.toMatch(/<script|<style|style=|onclick=/u)
    const policy = visit.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; style-src 'self';")
    expect(policy).toContain("form-action 'self' http://127.0.0.1:9;")
    expect(policy).toContain("frame-ancestors 'none'")
  })

  it('lists only what was asked for', async () => {
    const app = await start()
    const visit = await (await startSignIn(app.url)).begin({ scope: 'pages:read' })
    if (visit.type !== 'page') throw new Error('no page was shown')
    expect(visit.html).toContain('Read your pages')
    expect(visit.html).not.toContain('Write in your notebook')
  })

  it('takes no scope at all to mean everything', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    const query = new URLSearchParams({
      client_id: begun.clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const visit = await begun.browser.open(`${app.url}/oauth/authorize?${query.toString()}`)
    expect(visit.type === 'page' && visit.html.includes('Write in your notebook')).toBe(true)
  })

  it('answers Cancel with access_denied, the state and the issuer', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    await begun.begin()
    const visit = await begun.browser.submit({ account: 'ada', decision: 'cancel' })
    if (visit.type !== 'left') throw new Error('was not sent back')
    const { code, error, state, iss } = Object.fromEntries(visit.to.searchParams)
    expect({ code, error, state, iss }).toEqual({
      code: undefined,
      error: 'access_denied',
      state: 'a-state',
      iss: app.url,
    })
  })

  it('can be answered by the browser that began, and only once', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    const visit = await begun.begin()
    const action = visit.type === 'page' ? /action="([^"]+)"/u.exec(visit.html)?.[1] : undefined
    const foreign = await fetch(`${app.url}${action}`, {
      method: 'POST',
      body: new URLSearchParams({ account: 'ada', decision: 'allow' }),
    })
    expect(foreign.status).toBe(400)
    expect((await begun.browser.submit({ account: 'ada', decision: 'allow' })).type).toBe('left')
    expect(await begun.browser.submit({ account: 'ada', decision: 'allow' })).toMatchObject({ status: 400 })
  })

  it('allows nothing when no notebook was chosen', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    await begun.begin()
    expect(await begun.browser.submit({ account: 'nobody', decision: 'allow' })).toMatchObject({
      status: 400,
    })
  })

  it('lets one app hold two notebooks, signed in one after the other in the same browser', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    const subjects: unknown[] = []
    for (const account of ['ada', 'team']) {
      await begun.begin()
      const visit = await begun.browser.submit({ account, decision: 'allow' })
      if (visit.type !== 'left') throw new Error('was not sent back')
      const tokens = readTokens(await (await begun.exchange(visit.to.searchParams.get('code') ?? '')).json())
      const client = await connectWithToken(app.mcpUrl, tokens.access_token)
      endings.push(() => client.close())
      subjects.push(client.getServerVersion()?.title)
    }
    expect(subjects).toEqual(['Notes: Ada’s notebook', 'Notes: Team notebook'])
  })
})

describe('what the authorisation server refuses', () => {
  it('a redirect address that was not registered, on its own page', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    for (const redirect_uri of [
      'http://127.0.0.1:10/callback',
      `${REDIRECT_URI}/more`,
      'https://elsewhere.example/',
    ]) {
      expect(await begun.begin({ redirect_uri })).toMatchObject({ type: 'page', status: 400 })
    }
  })

  it('another port only for apps that are no web servers', async () => {
    const app = await start()
    const begun = await startSignIn(app.url, { application_type: 'native' })
    expect(await begun.begin({ redirect_uri: 'http://127.0.0.1:10/callback' })).toMatchObject({ status: 200 })
    expect(await begun.begin({ redirect_uri: 'http://127.0.0.1:10/other' })).toMatchObject({ status: 400 })
  })

  it('a sign-in without PKCE', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    const query = new URLSearchParams({
      client_id: begun.clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'pages:read',
    })
    const visit = await begun.browser.open(`${app.url}/oauth/authorize?${query.toString()}`)
    expect(visit.type === 'left' && visit.to.searchParams.get('error')).toBe('invalid_request')
  })

  it('another resource', async () => {
    const app = await start()
    const visit = await (await startSignIn(app.url)).begin({ resource: 'http://127.0.0.1:1/mcp' })
    expect(visit.type === 'left' && visit.to.searchParams.get('error')).toBe('invalid_target')
  })

  it('a code that was used, and a code with the wrong verifier', async () => {
    const app = await start()
    const begun = await startSignIn(app.url)
    await begun.begin()
    const visit = await begun.browser.submit({ account: 'ada', decision: 'allow' })
    const code = (visit.type === 'left' ? visit.to.searchParams.get('code') : undefined) ?? ''
    const stolen = await startSignIn(app.url)
    expect((await stolen.exchange(code)).status).toBe(400)
    expect((await begun.exchange(code)).status).toBe(200)
    expect(await json(await begun.exchange(code))).toMatchObject({ error: 'invalid_grant' })
  })

  it('more clients than it can hold, but not because of those nobody uses', async () => {
    const app = await start({ limits: { maxClients: 1 } })
    expect((await register(app.url)).status).toBe(201)
    const { tokens } = await signIn(app.url, 'ada')
    expect(await json(await register(app.url))).toMatchObject({ error: 'invalid_client_metadata' })
    expect((await callMcp(app, tokens.access_token)).status).not.toBe(401)
    await app.disconnectApps('ada')
    expect((await register(app.url)).status).toBe(201)
  })
})

describe('tokens', () => {
  it('takes the whole family down when an old refresh token comes back', async () => {
    const app = await start()
    const { signIn: begun, tokens } = await signIn(app.url, 'ada')
    const next = readTokens(await (await begun.refresh(tokens.refresh_token)).json())
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await callMcp(app, next.access_token)).status).not.toBe(401)

    expect(await json(await begun.refresh(tokens.refresh_token))).toMatchObject({ error: 'invalid_grant' })
    expect(await json(await begun.refresh(next.refresh_token))).toMatchObject({ error: 'invalid_grant' })
    expect((await callMcp(app, next.access_token)).status).toBe(401)
  })

  it('can be given back', async () => {
    const app = await start()
    const { signIn: begun, tokens } = await signIn(app.url, 'ada')
    expect((await begun.revoke(tokens.refresh_token)).status).toBe(200)
    expect((await begun.refresh(tokens.refresh_token)).status).toBe(400)
    expect((await callMcp(app, tokens.access_token)).status).toBe(401)
  })

  it('are refused when they were meant for somebody else', async () => {
    const app = await start()
    const other = await start()
    const { tokens } = await signIn(app.url, 'ada', { scope: 'openid pages:read' })
    const foreign = await signIn(other.url, 'ada')
    for (const token of [
      tokens.id_token ?? '',
      foreign.tokens.access_token,
      `${tokens.access_token}x`,
      'nonsense',
    ]) {
      const refusal = await callMcp(app, token)
      expect(refusal.status).toBe(401)
      expect(refusal.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
  })

  it('stop working everywhere when the person disconnects the apps', async () => {
    const app = await start()
    const { signIn: begun, tokens } = await signIn(app.url, 'ada')
    const team = await signIn(app.url, 'team')
    await app.disconnectApps('ada')
    expect((await callMcp(app, tokens.access_token)).status).toBe(401)
    expect((await begun.refresh(tokens.refresh_token)).status).toBe(400)
    expect((await callMcp(app, team.tokens.access_token)).status).not.toBe(401)
  })

  it('do not do more than was allowed', async () => {
    const app = await start()
    const { tokens } = await signIn(app.url, 'ada', { scope: 'pages:read' })
    const client = await connectWithToken(app.mcpUrl, tokens.access_token)
    endings.push(() => client.close())
    await client.callTool({ name: 'list_pages', arguments: {} })
    await expect(client.callTool({ name: 'create_page', arguments: { title: 'No' } })).rejects.toMatchObject({
      name: 'InsufficientScopeError',
    })
    expect(app.pages.list('ada')).toHaveLength(3)
  })

  it('answer 403 with what is missing', async () => {
    const app = await start()
    const { tokens } = await signIn(app.url, 'ada', { scope: 'pages:write' })
    const refusal = await fetch(`${app.url}/api/changes`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(refusal.status).toBe(403)
    expect(refusal.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="pages:read"/u)
  })
})

describe('sessions', () => {
  it('belong to the authorisation they were opened under', async () => {
    const app = await start()
    const ada = await signIn(app.url, 'ada')
    const team = await signIn(app.url, 'team')
    const opened = await callMcp(app, ada.tokens.access_token, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })
    await opened.text()
    const session = opened.headers.get('mcp-session-id') ?? ''
    expect(session).not.toBe('')
    const status = async (token: string): Promise<number> => {
      const response = await fetch(app.mcpUrl, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, 'mcp-session-id': session },
      })
      return response.status
    }
    expect(await status(team.tokens.access_token)).toBe(404)
    expect(await status(ada.tokens.access_token)).toBe(200)
  })
})

describe('the changes of a notebook', () => {
  it('are told from a cursor on, deletions too', async () => {
    const app = await start()
    const { tokens } = await signIn(app.url, 'ada')
    const changes = async (query: string): Promise<z.infer<typeof Json>> =>
      json(
        await fetch(`${app.url}/api/changes${query}`, {
          headers: { authorization: `Bearer ${tokens.access_token}` },
        }),
      )
    const all = await changes('')
    expect(all).toMatchObject({ account: 'Ada’s notebook', cursor: '3', more: false })
    expect(await changes('?limit=2')).toMatchObject({ cursor: '2', more: true })

    const client = await connectWithToken(app.mcpUrl, tokens.access_token)
    endings.push(() => client.close())
    const [gone] = app.pages.list('ada')
    await client.callTool({ name: 'delete_page', arguments: { pageId: gone?.id } })
    expect(await changes('?since=3')).toMatchObject({
      changes: [{ id: gone?.id, deleted: true }],
      cursor: '4',
    })
    expect(await changes('?since=4')).toMatchObject({ changes: [], cursor: '4' })
    expect(await changes('?since=x')).toMatchObject({ error: 'invalid_request' })
  })
})

describe('the web view', () => {
  it('shows a notebook after the sign-in, what the assistant wrote in it, and lets apps be disconnected', async () => {
    const app = await start()
    const browser = createBrowser(app.url)
    const begun = await startSignIn(app.url, {}, browser)
    await begun.begin()
    const left = await browser.submit({ account: 'ada', decision: 'allow' })
    const code = (left.type === 'left' ? left.to.searchParams.get('code') : undefined) ?? ''
    const tokens = readTokens(await (await begun.exchange(code)).json())
    const client = await connectWithToken(app.mcpUrl, tokens.access_token)
    endings.push(() => client.close())
    await client.callTool({
      name: 'create_page',
      arguments: { title: 'From <you>', text: '# Head\n\n- one <i>' },
    })

    const home = await browser.open(`${app.url}/`)
    expect(home.type === 'page' && home.html).toContain('From &lt;you&gt;')
    expect(home.type === 'page' && home.html).toContain('Capstan')
    const page = await browser.open(`${app.url}/pages/${app.pages.list('ada')[0]?.id}`)
    expect(page.type === 'page' && page.html).toContain('<li>one &lt;i&gt;</li>')

    const grant = /name="grant"\s+value="([^"]+)"/u.exec(home.type === 'page' ? home.html : '')?.[1] ?? ''
    const stranger = await fetch(`${app.url}/apps/disconnect`, {
      method: 'POST',
      body: new URLSearchParams({ grant }),
    })
    expect(stranger.status).toBe(404)
    expect((await callMcp(app, tokens.access_token)).status).not.toBe(401)
    await browser.open(`${app.url}/`)
    const after = await browser.submit({ grant }, '/apps/disconnect')
    expect(after.type === 'page' && after.html).toContain('No app can see this notebook.')
    expect((await callMcp(app, tokens.access_token)).status).toBe(401)
  })

  it('shows nothing to a browser that opened no notebook', async () => {
    const app = await start()
    const browser = createBrowser(app.url)
    const home = await browser.open(`${app.url}/`)
    expect(home.type === 'page' && home.html).toContain('Open a notebook')
    const [page] = app.pages.list('ada')
    const visit = await browser.open(`${app.url}/pages/${page?.id}`)
    expect(visit.type === 'page' && visit.html).not.toContain(page?.title)
    const forged = await fetch(`${app.url}/`, { headers: { cookie: 'notes_reader=ada.9999999999999.AAAA' } })
    expect(await forged.text()).toContain('Open a notebook')
  })

  it('opens the notebook one picks and not the pages of another', async () => {
    const app = await start()
    const browser = createBrowser(app.url)
    await browser.open(`${app.url}/`)
    const home = await browser.submit({ account: 'team' })
    expect(home.type === 'page' && home.html).toContain('Release checklist')
    const foreign = await browser.open(`${app.url}/pages/${app.pages.list('ada')[0]?.id}`)
    expect(foreign).toMatchObject({ type: 'page', status: 404 })
  })
})

describe('who may ask', () => {
  it('refuses other host names, and sends localhost on', async () => {
    const app = await start()
    const { port } = new URL(app.url)
    expect(await statusWithHost(app, 'notes.evil.example')).toMatchObject({ status: 403 })
    expect(await statusWithHost(app, `127.0.0.1:${Number(port) + 1}`)).toMatchObject({ status: 403 })
    expect(await statusWithHost(app, `localhost:${port}`, 'POST')).toMatchObject({ status: 403 })
    expect(await statusWithHost(app, `localhost:${port}`)).toEqual({ status: 307, location: app.mcpUrl })
  })

  it('refuses other web pages', async () => {
    const app = await start()
    const { tokens } = await signIn(app.url, 'ada')
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const refusal = await fetch(`${app.url}/api/changes`, {
        headers: { origin, authorization: `Bearer ${tokens.access_token}` },
      })
      expect(refusal.status).toBe(403)
    }
  })

  it('asks those who ask too often to wait', async () => {
    let now = 0
    const app = await start({ limits: { requestsPerMinute: 2 }, clock: () => now })
    const ask = async (): Promise<Response> => fetch(`${app.url}/style.css`)
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
    const refusal = await ask()
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '30'])
    now += 30_000
    expect((await ask()).status).toBe(200)
  })

  it('reads no more of a request than it allows', async () => {
    const app = await start({ limits: { maxBodyBytes: 1000 } })
    const { tokens } = await signIn(app.url, 'ada')
    const refusal = await callMcp(app, tokens.access_token, { padding: 'x'.repeat(2000) })
    expect(refusal.status).toBe(413)
  })
})

describe('staying and ending', () => {
  it('keeps pages, registrations and sign-ins in a folder, and no token that could be used', async () => {
    const folder = await tempFolder()
    const first = await startNotesApp({ folder })
    endings.push(() => first.close())
    const { signIn: begun, tokens } = await signIn(first.url, 'ada')
    const client = await connectWithToken(first.mcpUrl, tokens.access_token)
    await client.callTool({ name: 'create_page', arguments: { title: 'Kept', text: 'Still here.' } })
    await client.close()
    await first.close()

    const again = await start({ folder, port: Number(new URL(first.url).port) })
    expect(again.pages.list('ada').map((page) => page.title)).toContain('Kept')
    expect(again.pages.list('ada')).toHaveLength(4)
    expect((await callMcp(again, tokens.access_token)).status).not.toBe(401)
    const next = readTokens(await (await begun.refresh(tokens.refresh_token)).json())

    const stored = await readFile(join(folder, 'registrations.json'), 'utf8')
    expect(stored).toContain(begun.clientId)
    expect(stored).not.toContain(tokens.refresh_token)
    expect(stored).not.toContain(next.refresh_token)
    expect((await stat(join(folder, 'registrations.json'))).mode & 0o077).toBe(0)
    expect((await readdir(folder)).filter((name) => name.endsWith('.draft'))).toEqual([])
  })

  it('ends with nothing left open, also in the middle of a call', async () => {
    const app = await startNotesApp({ reindexMs: 60_000 })
    const { tokens } = await signIn(app.url, 'ada')
    const client = await connectWithToken(app.mcpUrl, tokens.access_token)
    const begun = Promise.withResolvers<void>()
    const call = client
      .callTool({ name: 'reindex_notebook', arguments: {} }, { onprogress: () => begun.resolve() })
      .catch((error: unknown) => error)
    endings.push(() => client.close())
    // The first progress comes after a twentieth of the time; the session is open well before.
    await Promise.race([begun.promise, client.ping()])
    await Promise.all([app.close(), app.close()])
    await expect(fetch(app.url)).rejects.toThrow()
    await client.close()
    expect(await call).toBeInstanceOf(Error)
  })

  it('does not start on a port that is taken', async () => {
    const app = await start()
    await expect(startNotesApp({ port: Number(new URL(app.url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it('says nothing of what was sent when something breaks', async () => {
    const lines: string[] = []
    const app = await start({ log: (line) => lines.push(line) })
    const { tokens } = await signIn(app.url, 'ada')
    await callMcp(app, tokens.access_token, 'not an object')
    await fetch(`${app.url}/oauth/token`, { method: 'POST', body: 'refresh_token=secret-token' })
    expect(lines.join('\n')).not.toContain(tokens.access_token)
    expect(lines.join('\n')).not.toContain('secret-token')
  })
})
