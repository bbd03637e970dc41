import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { stubTool } from '../testing/stub-tool.ts'
import { createTestClock } from '../testing/test-clock.ts'
import { createTestRun } from '../testing/test-run.ts'
import { tryTool } from '../testing/try-tool.ts'
import type { WebFetchOptions } from './web-fetch.ts'
import { createWebFetchTool } from './web-fetch.ts'
import { toNextUrl } from './web/next-url.ts'

const servers: { close: () => unknown }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A server on loopback, and the tool that may reach it. */
async function serve(listener: RequestListener, options: WebFetchOptions = {}) {
  const server: Server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  servers.push({
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/page`, tool: createWebFetchTool({ allowHosts: [host], ...options }) }
}

const answer =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body)

describe('a fetched page', () => {
  it('in HTML becomes text, under its address and title', async () => {
    const html = '<title>Rye</title><body><p>Bake it.</p><a href="/more">more</a></body>'
    const { url, host, tool } = await serve(answer(html, { 'content-type': 'text/html; charset=utf-8' }))
    expect(await tryTool(tool, { url })).toMatchObject({
      ok: true,
      text: `${url}\nTitle: Rye\n\nBake it.\n\nmore (http://${host}/more)`,
    })
  })

  it.each([
    ['application/json', '{"a": [1, 2]}'],
    ['application/problem+json; charset=utf-8', '{"b": 1}'],
    ['text/plain', 'plain <b>words</b>'],
    ['text/csv', 'a,b\n1,2'],
    ['image/svg+xml', '<svg><text>drawn</text></svg>'],
  ])('in %s is returned unchanged', async (contentType, body) => {
    const { url, tool } = await serve(answer(body, { 'content-type': contentType }))
    expect((await tryTool(tool, { url })).text).toBe(`${url}\n\n${body}`)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is decompressed from %s', async (encoding, pack) => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': encoding }
    const { url, tool } = await serve(answer(pack(Buffer.from('packed words')), headers))
    expect((await tryTool(tool, { url })).text).toContain('packed words')
  })

  it.each([
    ['text/plain; charset=iso-8859-1', 'caf\u00e9', 'latin1'],
    ['text/html', '<meta charset="windows-1252"><p>caf\u00e9</p>', 'latin1'],
    ['text/plain; charset=utf-16le', 'café', 'utf16le'],
    ['text/plain; charset=no-such-thing', 'café', 'utf8'],
  ] as const)('is decoded when it is %s', async (contentType, body, encoding) => {
    const { url, tool } = await serve(answer(Buffer.from(body, encoding), { 'content-type': contentType }))
    expect((await tryTool(tool, { url })).text).toContain('café')
  })

  it('without a type is inspected', async () => {
    const html = await serve(answer('<!doctype html><p>words</p>'))
    expect((await tryTool(html.tool, { url: html.url })).text).toBe(`${html.url}\n\nwords`)
    const binary = await serve(answer(Buffer.from([0x7f, 0x45, 0, 0, 1])))
    expect(await tryTool(binary.tool, { url: binary.url })).toMatchObject({
      ok: false,
      errorCode: 'unsupported',
    })
  })

  it('that is not text is refused with its type and size', async () => {
    const { url, tool } = await serve(
      answer(Buffer.alloc(2_000), { 'content-type': 'image/png', 'content-length': '2000' }),
    )
    const outcome = await tryTool(tool, { url })
    expect(outcome).toMatchObject({ ok: false, errorCode: 'unsupported' })
    expect(outcome.text).toContain('image/png, 2000 bytes')
  })

  it('is only headers for a HEAD request', async () => {
    const methods: (string | undefined)[] = []
    const { url, tool } = await serve((request, response) => {
      methods.push(request.method)
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '999', 'x-other': 'no' }).end()
    })
    expect((await tryTool(tool, { url, method: 'HEAD' })).text).toBe(
      `${url}\nstatus: 200\ncontent-type: image/png\ncontent-length: 999`,
    )
    expect(methods).toEqual(['HEAD'])
  })

  it('is requested without cookies, credentials or referrer', async () => {
    const seen: IncomingMessage['headers'][] = []
    const { url, tool } = await serve((request, response) => {
      seen.push(request.headers)
      if (request.url === '/page') response.writeHead(302, { location: '/next', 'set-cookie': 'a=b' }).end()
      else response.end('ok')
    })
    expect(await tryTool(tool, { url })).toMatchObject({ ok: true })
    expect(seen).toHaveLength(2)
    for (const headers of seen) {
      expect(Object.keys(headers).toSorted()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ])
    }
  })
})

describe('a fetch that fails', () => {
  it.each([400, 401, 403, 404, 429, 500, 503])(
    'carries the status %i and the text of the page',
    async (status) => {
      const { url, tool } = await serve(answer('<p>Not today</p>', { 'content-type': 'text/html' }, status))
      const outcome = await tryTool(tool, { url })
      expect(outcome).toMatchObject({ ok: false, httpStatus: status })
      expect(outcome.text).toContain('Not today')
    },
  )

  it('carries the time to wait', async () => {
    const { url, tool } = await serve(answer('', { 'retry-after': '7' }, 429))
    expect(await tryTool(tool, { url })).toMatchObject({ httpStatus: 429, retryAfterMs: 7_000 })
  })

  it('carries the code of the network error', async () => {
    const { host, url, tool } = await serve(answer('x'))
    for (const server of servers.splice(0)) await server.close()
    const outcome = await tryTool(tool, { url })
    expect(outcome).toMatchObject({ ok: false, errorCode: 'ECONNREFUSED' })
    expect(outcome.text).toContain(host)
    const nowhere = createWebFetchTool({
      resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
    })
    expect(await tryTool(nowhere, { url: 'http://nowhere.test/' })).toMatchObject({ errorCode: 'ENOTFOUND' })
  })

  it('says when the answer is cut off, garbled or in an unknown encoding', async () => {
    const cut = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('half')
      response.flushHeaders()
      setImmediate(() => request.socket.destroy())
    })
    expect(await tryTool(cut.tool, { url: cut.url })).toMatchObject({ ok: false, errorCode: 'ECONNRESET' })
    const garbled = await serve(
      answer('not gzip', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }),
    )
    expect(await tryTool(garbled.tool, { url: garbled.url })).toMatchObject({
      ok: false,
      errorCode: 'Z_DATA_ERROR',
    })
    for (const encoding of ['zstd2', 'constructor']) {
      const unknown = await serve(answer('?', { 'content-type': 'text/plain', 'content-encoding': encoding }))
      expect(await tryTool(unknown.tool, { url: unknown.url })).toMatchObject({
        ok: false,
        errorCode: 'unsupported',
      })
    }
  })

  it('ends when a server switches protocols instead of answering', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).resume()
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    servers.push({ close: () => new Promise((done) => server.close(done)) })
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const outcome = await tryTool(createWebFetchTool({ allowHosts: [host] }), { url: `http://${host}/` })
    expect(outcome.ok).toBe(false)
  })
})

describe('limits of a fetch', () => {
  it('cut an endless page at its bytes and close the connection', async () => {
    let sent = 0
    let closed: () => void
    const isClosed = new Promise<void>((done) => (closed = done))
    const { url, tool } = await serve(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000))) sent += 10_000
          response.once('drain', more)
        }
        response.once('close', () => closed())
        more()
      },
      { maxBytes: 50_000 },
    )
    const outcome = await tryTool(tool, { url })
    expect(outcome.ok).toBe(true)
    expect(outcome.text).toContain('[cut: only the first 50000 bytes of the page were read]')
    expect(outcome.text.length).toBeLessThan(51_000)
    await isClosed
    expect(sent).toBeLessThan(50_000_000)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])(
    'stop the decompression of a %s bomb at its bytes',
    async (encoding, pack) => {
      const bomb = pack(Buffer.alloc(40 * 1024 * 1024))
      const { url, tool } = await serve(
        answer(bomb, { 'content-type': 'text/plain', 'content-encoding': encoding }),
      )
      const before = process.memoryUsage().rss
      const outcome = await tryTool(tool, { url })
      expect(outcome).toMatchObject({ ok: false, errorCode: 'too_large' })
      expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024)
    },
    30_000,
  )

  it('end a connection attempt in time', async () => {
    const clock = createTestClock()
    const full = createTcpServer()
    await new Promise<void>((done) => full.listen({ port: 0, host: '127.0.0.1' }, done))
    const { port } = full.address() as AddressInfo
    // A TLS greeting that is never answered keeps an https connection from being made.
    const waiting = clock.waiting()
    full.on('connection', (socket) => {
      socket.on('error', () => {})
      servers.unshift({ close: () => socket.destroy() })
    })
    servers.push({ close: () => new Promise((done) => full.close(done)) })
    const tool = createWebFetchTool({ allowHosts: [`127.0.0.1:${port}`] })
    const outcome = tryTool(tool, { url: `https://127.0.0.1:${port}/` }, { run: createTestRun({ clock }) })
    await waiting
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ ok: false, timedOut: true })
    expect((await outcome).text).toContain('within 10 seconds')
  })

  it('stop at once on abort, before and during the answer', async () => {
    for (const where of ['before', 'within'] as const) {
      let reached: () => void
      let left: () => void
      const isReached = new Promise<void>((done) => (reached = done))
      const isLeft = new Promise<void>((done) => (left = done))
      const { url, tool } = await serve((request, response) => {
        request.socket.once('close', () => left())
        if (where === 'within') {
          response.writeHead(200, { 'content-type': 'text/plain' })
          response.write('begun')
        }
        reached()
      })
      const stop = new AbortController()
      const outcome = tryTool(tool, { url }, { signal: stop.signal })
      await isReached
      stop.abort()
      expect((await outcome).ok).toBe(false)
      await isLeft
    }
  })

  it('restrict the ports when some are named', async () => {
    const { url, tool, host } = await serve(answer('x'), { allowHosts: [], allowPorts: [80, 443] })
    const outcome = await tryTool(tool, { url })
    expect(outcome).toMatchObject({ deniedBy: 'policy' })
    expect(outcome.text).toContain(`Port ${host.split(':')[1]}`)
    const allowed = createWebFetchTool({ allowHosts: [host], allowPorts: [80] })
    expect(await tryTool(allowed, { url })).toMatchObject({ ok: true })
  })
})

it('a TLS request uses the requested name at the checked address', async () => {
  const names: string[] = []
  const server = createTlsServer({
    SNICallback: (name, done) => {
      names.push(name)
      done(new Error('no certificate here'))
    },
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  servers.push({ close: () => new Promise((done) => server.close(done)) })
  const { port } = server.address() as AddressInfo
  const tool = createWebFetchTool({ resolve: async () => ['127.0.0.1'], allowHosts: [`secure.test:${port}`] })
  expect(await tryTool(tool, { url: `https://secure.test:${port}/` })).toMatchObject({ ok: false })
  expect(names).toEqual(['secure.test'])
})

describe('a redirect target', () => {
  const from = new URL('https://example.com/a/b')
  it.each([
    [302, 'c?d=e', { next: 'https://example.com/a/c?d=e' }],
    [308, 'https://other.example/x', { next: 'https://other.example/x' }],
    [200, '/ignored', undefined],
    [304, '/ignored', undefined],
    [302, undefined, undefined],
  ])('of status %i to %j is resolved', (status, location, expected) => {
    expect(toNextUrl(from, status, location)).toEqual(expected)
  })

  it('is never from https to http, nor an invalid URL', () => {
    expect(toNextUrl(from, 302, 'http://example.com/a')).toMatchObject({ refusal: { deniedBy: 'policy' } })
    expect(toNextUrl(from, 302, 'http://[')).toMatchObject({ refusal: { errorCode: 'unsupported' } })
    expect(toNextUrl(new URL('http://example.com'), 302, 'http://example.com/a')).toEqual({
      next: 'http://example.com/a',
    })
  })
})

describe('a redirect to another host', () => {
  /** A page that redirects to the same server under another name. */
  async function redirecting(run = createTestRun()) {
    const visited: string[] = []
    const { host, url, tool } = await serve(
      (request, response) => {
        visited.push(request.headers.host ?? '')
        if (request.url !== '/page') return response.end('elsewhere')
        const { port } = new URL(`http://${request.headers.host}`)
        return response.writeHead(302, { location: `http://elsewhere.test:${port}/next?code=4711` }).end()
      },
      { resolve: async () => ['127.0.0.1'] },
    )
    const { port } = new URL(url)
    const open = createWebFetchTool({
      allowHosts: [host, `elsewhere.test:${port}`],
      resolve: async () => ['127.0.0.1'],
    })
    run.flow.userSaid(`Read ${url}`)
    return { result: await tryTool(open, { url }, { run }), visited, port, tool }
  }

  it('is followed while nothing private was read', async () => {
    const { result, visited } = await redirecting()
    expect(result.text).toContain('elsewhere')
    expect(visited).toHaveLength(2)
  })

  it('is not followed once private data and untrusted text were read, and the result names it', async () => {
    const run = createTestRun()
    const look = stubTool('look', undefined, { returns: ['private', 'untrusted'] })
    run.flow.returned({ tool: look, effect: 'read', args: {} }, 'the code is 4711')
    const { result, visited, port } = await redirecting(run)
    expect(result).toMatchObject({ ok: true })
    expect(result.text).toContain(`another host, which was not visited: http://elsewhere.test:${port}/next`)
    expect(visited).toEqual([`127.0.0.1:${port}`])
  })
})
