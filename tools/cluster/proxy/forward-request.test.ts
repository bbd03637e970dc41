import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as sendRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { sendRaw, startNode, startTestProxy } from './test-nodes.fixture.ts'

const readText = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text()

describe('a request through the proxy', () => {
  it('goes to each node in turn', async () => {
    const { url } = await startTestProxy(
      await startNode('one'),
      await startNode('two'),
      await startNode('three'),
    )
    const answers = [await readText(url), await readText(url), await readText(url), await readText(url)]
    expect(answers).toEqual(['one', 'two', 'three', 'one'])
  })

  it('keeps its method, path, body, host and repeated headers', async () => {
    const node = await startNode('one', (request, response) => {
      const seen = { method: request.method, url: request.url, host: request.headers.host }
      void text(request).then((body) => {
        response.setHeader('set-cookie', ['a=1', 'b=2'])
        response.statusCode = 418
        response.end(JSON.stringify({ ...seen, body }))
      })
    })
    const { url } = await startTestProxy(node)
    const answer = await fetch(`${url}/a/b?c=d%20e`, { method: 'DELETE', body: 'words' })
    expect(answer.status).toBe(418)
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    const host = new URL(url).host
    expect(await answer.json()).toEqual({ method: 'DELETE', url: '/a/b?c=d%20e', host, body: 'words' })
  })

  it('says who the client is, whatever the client says', async () => {
    const node = await startNode('one', ({ headers }, response) => {
      const { forwarded, 'x-forwarded-for': address, 'x-forwarded-proto': protocol } = headers
      response.end(JSON.stringify({ forwarded, address, protocol, other: headers['x-other'] }))
    })
    const { url } = await startTestProxy(node)
    const headers = {
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'https',
      forwarded: 'for=1.2.3.4',
      'x-other': 'kept',
    }
    expect(await (await fetch(url, { headers })).json()).toEqual({
      address: '127.0.0.1',
      protocol: 'http',
      other: 'kept',
    })
  })

  it.each(['content-length', 'transfer-encoding'])(
    'stays one request when the client says that %s is for the proxy only',
    async (named) => {
      const seen: string[] = []
      const node = await startNode('one', (request, response) => {
        seen.push(`${request.url} ${String(request.headers['x-forwarded-for'])}`)
        void text(request).then((body) => response.end(body))
      })
      const { url } = await startTestProxy(node)
      const hidden = 'GET /hidden HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 1.2.3.4\r\n\r\n'
      const isChunked = named === 'transfer-encoding'
      const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${hidden.length}`
      const body = isChunked ? `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n` : hidden
      const head = `GET /seen HTTP/1.1\r\nhost: a\r\n${length}\r\nconnection: close, ${named}\r\n\r\n`
      expect(await sendRaw(url, head + body)).toContain(hidden)
      expect(seen).toEqual(['/seen 127.0.0.1'])
    },
  )

  it('gets the pieces of its answer as they come', async () => {
    const next = Promise.withResolvers<void>()
    const node = await startNode('one', (_, response) => {
      response.write('first')
      void next.promise.then(() => response.end('second'))
    })
    const { url } = await startTestProxy(node)
    const reader = (await fetch(url)).body!.pipeThrough(new TextDecoderStream()).getReader()
    expect(await reader.read()).toEqual({ done: false, value: 'first' })
    next.resolve()
    expect(await reader.read()).toEqual({ done: false, value: 'second' })
    expect((await reader.read()).done).toBe(true)
  })

  it('sends the pieces of its body as they come', async () => {
    const pieces: string[] = []
    const arrived = Promise.withResolvers<void>()
    const node = await startNode('one', (request, response) => {
      request.on('data', (piece: Buffer) => {
        pieces.push(piece.toString())
        arrived.resolve()
      })
      request.on('end', () => response.end(pieces.join('+')))
    })
    const { url } = await startTestProxy(node)
    const request = sendRequest(url, { method: 'POST' })
    request.write('first')
    await arrived.promise
    request.end('second')
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    expect(await text(answer)).toBe('first+second')
  })

  it('ends at the node when the client goes away', async () => {
    const ended = Promise.withResolvers<void>()
    const node = await startNode('one', (_, response) => {
      response.write('first')
      response.on('close', () => ended.resolve())
    })
    const { url, nodes } = await startTestProxy(node)
    const leaving = new AbortController()
    const answer = await fetch(url, { signal: leaving.signal })
    leaving.abort()
    await expect(answer.text()).rejects.toThrow('abort')
    await ended.promise
    expect(nodes.isUp(node)).toBe(true)
  })
})

describe('a request to a node that is gone', () => {
  it('goes to the next node with its whole body', async () => {
    const [gone, alive] = [
      await startNode('gone'),
      await startNode('alive', (r, response) => r.pipe(response)),
    ]
    const { url, nodes } = await startTestProxy(gone, alive)
    await gone.kill()
    const body = 'word '.repeat(100_000)
    expect(await readText(url, { method: 'POST', body })).toBe(body)
    expect(nodes.isUp(gone)).toBe(false)
  })

  it('is not tried there first until the node answers again', async () => {
    const [gone, alive] = [await startNode('gone'), await startNode('alive')]
    const { url, nodes } = await startTestProxy(gone, alive)
    await gone.kill()
    await nodes.check()
    expect([await readText(url), await readText(url)]).toEqual(['alive', 'alive'])
    await gone.revive()
    await nodes.check()
    expect([await readText(url), await readText(url)].toSorted()).toEqual(['alive', 'gone'])
  })

  it('is answered with 503 when no node is left', async () => {
    const gone = await startNode('gone')
    const { url } = await startTestProxy(gone)
    await gone.kill()
    const answer = await fetch(url)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
  })

  it('is not sent a second time once a node has it', async () => {
    let received = 0
    const dying = await startNode('dying', ({ socket }) => {
      received++
      socket.destroy()
    })
    const alive = await startNode('alive', (_, response) => {
      received++
      response.end()
    })
    const { url } = await startTestProxy(dying, alive)
    expect((await fetch(url, { method: 'POST', body: 'send a mail' })).status).toBe(502)
    expect(received).toBe(1)
  })

  it('does not end as if the answer were complete', async () => {
    const dying = await startNode('dying', ({ socket }, response) => {
      response.write('half of')
      setImmediate(() => socket.destroy())
    })
    const { url } = await startTestProxy(dying)
    await expect(readText(url)).rejects.toThrow()
  })
})
