import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { RefusedUrl, createGuardedFetch } from './guarded-fetch.ts'

const PUBLIC = new URL('https://mcp.example/mcp')
const NAMES: Record<string, readonly string[]> = {
  'mcp.example': ['93.184.216.34'],
  'auth.example': ['93.184.216.35'],
  'inside.example': ['10.1.2.3'],
  'two-faced.example': ['93.184.216.36', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
}
const resolve = (name: string) => Promise.resolve(NAMES[name] ?? [])

describe('an address a server names', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  async function listen(handler: RequestListener): Promise<URL> {
    server = createServer(handler)
    await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done))
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  }

  it.each([
    'http://auth.example/.well-known/oauth-authorization-server',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:9/',
    'http://localhost:9/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.0.0.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://127.1/',
    'https://inside.example/',
    'https://two-faced.example/',
    'https://metadata.example/',
    'https://user:secret@auth.example/',
    'file:///etc/passwd',
    'ftp://auth.example/',
  ])('of the public internet is not visited at %s', async (url) => {
    const guarded = createGuardedFetch({ serverUrl: PUBLIC, resolve })
    await expect(guarded(url)).rejects.toBeInstanceOf(RefusedUrl)
  })

  it('on this machine may be on this machine', async () => {
    const url = await listen((_, response) => response.end('{"a":1}'))
    const response = await createGuardedFetch({ serverUrl: new URL('http://localhost:1/mcp') })(url)
    expect(await response.json()).toEqual({ a: 1 })
  })

  it('inside a network may be inside it, but not in the clear', async () => {
    const guarded = createGuardedFetch({
      serverUrl: new URL('https://inside.example/mcp'),
      resolve,
      timeoutMs: 50,
    })
    await expect(guarded('https://10.9.9.9/')).rejects.not.toBeInstanceOf(RefusedUrl)
    await expect(guarded('http://10.9.9.9/')).rejects.toBeInstanceOf(RefusedUrl)
  })

  it('is not left for where it redirects to', async () => {
    const seen: string[] = []
    const url = await listen((request, response) => {
      seen.push(request.url!)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const response = await createGuardedFetch({ serverUrl: url })(url)
    expect(response.status).toBe(302)
    expect(seen).toEqual(['/'])
  })

  it('is given up when it sends too much', async () => {
    const url = await listen((_, response) => response.end('x'.repeat(5_000)))
    const guarded = createGuardedFetch({ serverUrl: url, maxBytes: 1_000 })
    await expect(guarded(url)).rejects.toThrow('larger than 1000 bytes')
  })

  it('is given up when it takes too long, at any point', async () => {
    const url = await listen((request, response) => {
      if (request.url === '/body') response.write('{')
    })
    const guarded = createGuardedFetch({ serverUrl: url, timeoutMs: 60 })
    for (const path of ['/body', '/head']) {
      await expect(guarded(new URL(path, url))).rejects.toMatchObject({ name: 'TimeoutError' })
    }
  })
})
