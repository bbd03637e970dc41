import type { MemberLink } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createSeeRequest } from '../../auth/client-address.ts'
import { readServerConfig } from '../../settings/server-config.ts'
import { createFolder, startTestServer } from '../test-server.fixture.ts'

const LIMITS = { strangers: { burst: 2, perSecond: 0.001 } }

/** The statuses of three guesses, each from another claimed address. */
async function guess(url: string, addresses: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const address of addresses) {
    const headers = { 'x-forwarded-for': address }
    statuses.push((await fetch(`${url}/api/me`, { headers })).status)
  }
  return statuses
}

describe('the address of a client', () => {
  it('is that of the connection: a header of a stranger changes nothing', async () => {
    const { url } = await startTestServer({ limits: LIMITS })
    expect(await guess(url, ['192.0.2.1', '192.0.2.2', '192.0.2.3'])).toEqual([401, 401, 429])
  })

  it('is named by a trusted proxy, and each client has a rate of its own', async () => {
    const { url } = await startTestServer({ limits: LIMITS, trustedProxies: ['127.0.0.1'] })
    expect(await guess(url, ['192.0.2.1', '192.0.2.2', '192.0.2.3'])).toEqual([401, 401, 401])
    // What the client itself wrote stands further left.
    expect(await guess(url, ['10.0.0.1, 192.0.2.1', '10.0.0.2, 192.0.2.1'])).toEqual([401, 429])
  })

  it.each<[string, string, string | undefined, string]>([
    ['10.0.0.9', '192.0.2.7', undefined, '192.0.2.7'],
    ['::ffff:10.0.0.9', '192.0.2.7', undefined, '192.0.2.7'],
    ['10.0.0.9', '198.51.100.1, 192.0.2.7, 10.1.2.3', undefined, '192.0.2.7'],
    ['10.0.0.9', '192.0.2.7:443', undefined, '192.0.2.7'],
    ['10.0.0.9', '[2001:db8::1]:443', undefined, '2001:db8::1'],
    ['10.0.0.9', '192.0.2.7, nonsense', undefined, '10.0.0.9'],
    ['10.0.0.9', 'x'.repeat(100_000), undefined, '10.0.0.9'],
    ['192.0.2.9', '198.51.100.1', undefined, '192.0.2.9'],
  ])('seen from %s with the header %s', (peer, forwarded, _, address) => {
    const see = createSeeRequest(['10.0.0.0/8', '::1'])
    const header = (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined)
    expect(see({ peer, header }).address).toBe(address)
  })

  it('is refused in the configuration when it is no address or range', async () => {
    for (const text of ['everybody', '10.0.0.0/33', '::/129', '', '10.0.0.1/', '300.0.0.1'])
      expect(() => createSeeRequest([text])).toThrow('trustedProxies')
    const folder = await createFolder()
    const env = { CAPSTAN_TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16' }
    expect(readServerConfig(folder, env).trustedProxies).toEqual(['10.0.0.1', '10.1.0.0/16'])
  })
})

describe('the address of this server behind a proxy', () => {
  const ask = (url: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${url}/api/logout`, { method: 'POST', headers })

  it('counts only from a trusted proxy, and a foreign name is refused also from it', async () => {
    const seen = { 'x-forwarded-host': '192.0.2.80', 'x-forwarded-proto': 'https' }
    const page = { origin: 'https://192.0.2.80' }
    const open = await startTestServer()
    expect((await ask(open.url, { ...seen, ...page })).status).toBe(403)
    const { url } = await startTestServer({ trustedProxies: ['127.0.0.0/8'] })
    expect((await ask(url, { ...seen, ...page })).status).toBe(401) // our page, and nobody is logged in
    expect((await ask(url, { ...seen, origin: 'http://192.0.2.80' })).status).toBe(403)
    expect((await ask(url, { 'x-forwarded-host': 'evil.example.com' })).status).toBe(403)
    expect((await fetch(`${url}/`, { headers: { 'x-forwarded-host': 'evil.example.com' } })).status).toBe(403)
  })

  it('makes the cookie secure when the browser uses https', async () => {
    const { url, auth } = await startTestServer({ trustedProxies: ['127.0.0.1'] })
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'x-forwarded-host': '192.0.2.80',
        'x-forwarded-proto': 'https',
        origin: 'https://192.0.2.80',
      },
      body: new URLSearchParams({ ticket: auth.mintTicket() }),
    })
    expect(answer.headers.getSetCookie()[0]).toContain('; Secure')
  })
})

describe('the login link of a member', () => {
  const PUBLIC = 'https://capstan.example.org'
  const addVia = async (
    options: Parameters<typeof startTestServer>[0],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<MemberLink> => {
    const { url, auth } = await startTestServer(options)
    const answer = await fetch(`${url}/api/members`, {
      method: 'POST',
      headers: { authorization: `Bearer ${auth.token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ userId: 'grace' }),
    })
    return (await answer.json()) as MemberLink
  }

  it('names the configured address, also when the owner came by another one', async () => {
    const { link, isLocalOnly } = await addVia({ allowedOrigins: [PUBLIC] })
    expect(link).toMatch(/^https:\/\/capstan\.example\.org\/login\?ticket=/)
    expect(isLocalOnly).toBe(false)
  })

  it('names the one of several addresses that the owner came by', async () => {
    const allowedOrigins = ['https://first.example.org', PUBLIC]
    const trustedProxies = ['127.0.0.1']
    const { link } = await addVia(
      { allowedOrigins, trustedProxies },
      { 'x-forwarded-host': 'capstan.example.org', 'x-forwarded-proto': 'https' },
    )
    expect(new URL(link).origin).toBe(PUBLIC)
  })

  it('names the address that the request to a trusted proxy was for', async () => {
    const { link, isLocalOnly } = await addVia(
      { trustedProxies: ['127.0.0.1'] },
      { 'x-forwarded-host': '192.0.2.80', 'x-forwarded-proto': 'https' },
    )
    expect(new URL(link).origin).toBe('https://192.0.2.80')
    expect(isLocalOnly).toBe(false)
  })

  it('says that it works on this machine only when no other address is known', async () => {
    const { link, isLocalOnly } = await addVia({})
    expect(new URL(link).hostname).toBe('127.0.0.1')
    expect(isLocalOnly).toBe(true)
    const loopback = await addVia({ allowedOrigins: ['http://localhost:8080', 'http://[::1]:8080'] })
    expect(loopback.isLocalOnly).toBe(true)
  })
})
