import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolder, redeem, startTestServer } from '../test-server.fixture.ts'

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5000))})`

async function startWithWeb() {
  const folder = await createFolder()
  const webRoot = join(folder, 'dist')
  await mkdir(join(webRoot, 'assets'), { recursive: true })
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Capstan</title>')
  await writeFile(join(webRoot, 'assets/index-VPu1GLi5.js'), SCRIPT)
  await writeFile(join(webRoot, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'install.key.copy'), 'secret')
  await symlink(join(folder, 'install.key.copy'), join(webRoot, 'assets/link-VPu1GLi5.js'))
  return startTestServer({ webRoot })
}

/** Sends the path as it is; `fetch` would normalise it. */
function askRaw(
  port: number,
  path: string,
  host = 'localhost',
  { method = 'GET', head = '', body = '' } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('close', () => resolve(text))
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${head}Connection: close\r\n\r\n${body}`)
  })
}

describe('the web app', () => {
  it('is served without a login, and answers every other path with its page', async () => {
    const { url } = await startWithWeb()
    for (const path of ['/', '/threads/thread_1', '/settings', '/?login=expired']) {
      const answer = await fetch(`${url}${path}`)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(await answer.text()).toContain('<title>Capstan')
    }
    expect((await fetch(`${url}/assets/gone-12345678.js`)).status).toBe(404)
  })

  it('serves its files compressed, cacheable for good, and not twice', async () => {
    const { url } = await startWithWeb()
    const path = `${url}/assets/index-VPu1GLi5.js`
    const unpacked = await fetch(path, { headers: { 'accept-encoding': 'identity' } })
    expect(unpacked.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await unpacked.text()).toBe(SCRIPT)
    for (const encoding of ['br', 'gzip']) {
      const answer = await fetch(path, { headers: { 'accept-encoding': encoding } })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(500)
      expect(await answer.text()).toBe(SCRIPT)
      const tag = answer.headers.get('etag')!
      const again = await fetch(path, {
        headers: { 'accept-encoding': encoding, 'if-none-match': tag },
      })
      expect(again.status).toBe(304)
    }
  })

  it.each([
    '/../install.key.copy',
    '/assets/../../install.key.copy',
    '/%2e%2e/install.key.copy',
    '/assets/..%2f..%2finstall.key.copy',
    '/..%5cinstall.key.copy',
    '/assets/link-VPu1GLi5.js',
    '/%00',
    '/%ff',
    '//etc/passwd',
  ])('serves no file outside its folder: %s', async (path) => {
    const { port } = await startWithWeb()
    const answer = await askRaw(port, path)
    expect(answer).toMatch(/^HTTP\/1.1 (200|400|404)/)
    expect(answer).not.toContain('secret')
    expect(answer).not.toContain('root:')
  })
})

describe('every answer', () => {
  it('has the security headers', async () => {
    const server = await startWithWeb()
    const client = await server.logIn()
    for (const path of ['/', '/api/me', '/api/nothing', '/login?ticket=x', '/oauth/callback', '/metrics']) {
      const { headers } = await client.request(path)
      const policy = headers.get('content-security-policy')!
      expect(policy, path).toContain("default-src 'none'")
      expect(policy, path).toContain("script-src 'self';")
      expect(policy, path).toContain("frame-ancestors 'none'")
      expect(policy, path).not.toContain('unsafe')
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('referrer-policy'), path).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
    }
    expect((await client.request('/api/me')).headers.get('cache-control')).toBe('no-store')
  })
})

describe('the login link', () => {
  it('asks, and its button sets an HttpOnly, SameSite cookie and removes the ticket from the address', async () => {
    const { url, port, auth } = await startTestServer()
    const ticket = auth.mintTicket('ada')
    const page = await fetch(`${url}/login?ticket=${ticket}`, { redirect: 'manual' })
    expect(page.status).toBe(200)
    expect(page.headers.getSetCookie()).toEqual([])
    const text = await page.text()
    expect(text).toContain('This device will be logged in as <bdi><strong>ada</strong></bdi>.')
    expect(text).toContain(`<input type="hidden" name="ticket" value="${ticket}">`)
    const answer = await redeem(url, ticket)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/')
    const [cookie] = answer.headers.getSetCookie()
    expect(cookie).toMatch(
      new RegExp(`^capstan_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=`),
    )
    const again = await redeem(url, ticket)
    expect(again.headers.get('location')).toBe('/?login=expired')
    expect(again.headers.getSetCookie()).toEqual([])
    const used = await fetch(`${url}/login?ticket=${ticket}`, { redirect: 'manual' })
    expect(used.headers.get('location')).toBe('/?login=expired')
    // A logged-in browser may follow an old link.
    const inside = await fetch(`${url}/login?ticket=${ticket}`, {
      redirect: 'manual',
      headers: { cookie: cookie!.split(';')[0]! },
    })
    expect(inside.headers.get('location')).toBe('/')
  })

  it('stays usable however often it is opened, previewed or fetched ahead', async () => {
    const { url, auth } = await startTestServer()
    const ticket = auth.mintTicket('eve')
    const visits: RequestInit[] = [
      {},
      { method: 'HEAD' },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { 'sec-fetch-site': 'same-origin' } },
      { headers: { 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' } },
    ]
    for (const visit of visits) {
      const answer = await fetch(`${url}/login?ticket=${ticket}`, { redirect: 'manual', ...visit })
      expect(answer.status).toBe(200)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await redeem(url, ticket)).headers.getSetCookie()).toHaveLength(1)
  })

  it('logs nobody in when another site sends the form', async () => {
    const { url, auth } = await startTestServer()
    const ticket = auth.mintTicket('eve')
    const origins = [
      { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of origins) {
      const answer = await redeem(url, ticket, headers)
      expect(answer.status).toBe(403)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const bare = await fetch(`${url}/login`, { method: 'POST', body: new URLSearchParams({ ticket }) })
    expect(bare.status).toBe(403)
    expect((await redeem(url, ticket)).headers.getSetCookie()).toHaveLength(1)
  })

  it('shows no markup of the ticket or of the name, and speaks the language of the browser', async () => {
    const { url, auth } = await startTestServer()
    const hostile = await fetch(`${url}/login?ticket="><script>`, { redirect: 'manual' })
    expect(hostile.headers.get('location')).toBe('/?login=expired')
    const link = `${url}/login?ticket=${auth.mintTicket('<script>$&')}`
    expect(await (await fetch(link)).text()).toContain('<strong>&lt;script&gt;$&amp;</strong>')
    for (const [accepted, language, words] of [
      ['de-AT,en;q=0.5', 'de', 'Anmelden'],
      ['xx,ar;q=0.9', 'ar', 'تسجيل الدخول'],
      ['zh-Hans', 'zh-CN', '登录'],
      ['__proto__', 'en', 'Log in'],
    ] as const) {
      const text = await (await fetch(link, { headers: { 'accept-language': accepted } })).text()
      expect(text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(text).toContain(`>${words}</button>`)
    }
  })

  it('refuses a form that is too large', async () => {
    const { url } = await startTestServer()
    expect((await redeem(url, 'x'.repeat(10_000))).status).toBe(413)
  })

  it('stays valid after a restart', async () => {
    const folder = await createFolder()
    const first = await startTestServer({ folder })
    const client = await first.logIn('ada')
    await first.stop({ graceMs: 0 })
    const second = await startTestServer({ folder, port: first.port })
    expect(second.port).toBe(first.port)
    expect(await client.json('GET', '/api/me')).toMatchObject({ userId: 'ada' })
  })

  it('sets a secure cookie behind an https proxy', async () => {
    const { port, auth } = await startTestServer({ allowedOrigins: ['https://capstan.example.org'] })
    const form = `ticket=${auth.mintTicket()}`
    const answer = await askRaw(port, '/login', 'capstan.example.org', {
      method: 'POST',
      head: `Origin: https://capstan.example.org\r\nContent-Length: ${form.length}\r\n`,
      body: form,
    })
    expect(answer).toMatch(/set-cookie: .*SameSite=Strict; Secure;/i)
  })

  it('is undone by logging out, which removes the cookie', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const answer = await client.request('/api/logout', { method: 'POST' })
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect((await client.request('/api/me')).status).toBe(401)
  })
})

describe('a port that is taken', () => {
  it('rejects with EADDRINUSE', async () => {
    const { port } = await startTestServer()
    await expect(startTestServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
