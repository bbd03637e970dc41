import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startNode, startTestProxy } from './test-nodes.fixture.ts'

/** Opens a socket as a browser does. Settles with the socket and the first words of the node. */
async function open(url: string): Promise<{ socket: Socket; greeting: string }> {
  const request = sendRequest(`${url}/socket?x=1`, {
    headers: { connection: 'Upgrade', upgrade: 'websocket', 'x-forwarded-for': '1.2.3.4' },
  })
  request.end()
  const [, socket, head] = (await once(request, 'upgrade')) as [IncomingMessage, Socket, Buffer]
  socket.on('error', () => {})
  return { socket, greeting: head.length > 0 ? head.toString() : await read(socket) }
}

const read = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])

describe('a socket through the proxy', () => {
  it('carries what both sides send, and says who the client is', async () => {
    const { url } = await startTestProxy(await startNode('one'))
    const { socket, greeting } = await open(url)
    expect(greeting).toBe('one /socket?x=1 127.0.0.1 ')
    socket.write('echo')
    expect(await read(socket)).toBe('echo')
    socket.destroy()
  })

  it('goes to each node in turn', async () => {
    const { url } = await startTestProxy(await startNode('one'), await startNode('two'))
    const opened = [await open(url), await open(url), await open(url)]
    expect(opened.map(({ greeting }) => greeting.split(' ')[0])).toEqual(['one', 'two', 'one'])
    for (const { socket } of opened) socket.destroy()
  })

  it('goes to the next node when the first is gone', async () => {
    const [gone, alive] = [await startNode('gone'), await startNode('alive')]
    const { url, nodes } = await startTestProxy(gone, alive)
    await gone.kill()
    const { socket, greeting } = await open(url)
    expect(greeting).toContain('alive')
    expect(nodes.isUp(gone)).toBe(false)
    socket.destroy()
  })

  it('ends when its node dies, and the next one goes elsewhere', async () => {
    const [dying, alive] = [await startNode('dying'), await startNode('alive')]
    const { url } = await startTestProxy(dying, alive)
    const { socket, greeting } = await open(url)
    expect(greeting).toContain('dying')
    const closed = once(socket, 'close')
    await dying.kill()
    await closed
    const again = await open(url)
    expect(again.greeting).toContain('alive')
    again.socket.destroy()
  })

  it('is refused with 503 when no node is left', async () => {
    const gone = await startNode('gone')
    const { url } = await startTestProxy(gone)
    await gone.kill()
    const request = sendRequest(url, { headers: { connection: 'Upgrade', upgrade: 'websocket' } })
    request.end()
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(503)
  })

  it('ends when the proxy is closed', async () => {
    const proxy = await startTestProxy(await startNode('one'))
    const { socket } = await open(proxy.url)
    const closed = once(socket, 'close')
    await proxy.close()
    await closed
  })
})
