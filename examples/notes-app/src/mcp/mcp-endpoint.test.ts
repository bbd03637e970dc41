import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Era } from '../testing/mcp-client.ts'
import { connectWithToken } from '../testing/mcp-client.ts'
import type { McpEndpoint } from './mcp-endpoint.ts'
import { createMcpEndpoint } from './mcp-endpoint.ts'

const endings: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

/** An endpoint with one tool that waits until its call is cancelled. The token names the authorisation. */
async function startEndpoint(limits = { maxSessions: 10 }) {
  const begun = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  const streamOpened = Promise.withResolvers<void>()
  let now = 0
  const endpoint: McpEndpoint = createMcpEndpoint({
    ...limits,
    maxBodyBytes: 10_000,
    now: () => now,
    log: () => undefined,
    createServer: () => {
      const server = new McpServer({ name: 'test', version: '1.0.0' })
      server.registerTool('wait', { inputSchema: z.object({}) }, (_input, { mcpReq }) => {
        begun.resolve()
        return new Promise((_resolve, reject) => {
          mcpReq.signal.addEventListener('abort', () => {
            cancelled.resolve()
            reject(new Error('cancelled'))
          })
        })
      })
      return server
    },
  })
  const http = createServer((request, response) => {
    const grantId = request.headers.authorization ?? ''
    const authInfo = { token: 'x', clientId: 'c', scopes: [], extra: { accountId: 'ada', grantId } }
    void endpoint.handle(request, response, authInfo)
    if (request.method === 'GET') streamOpened.resolve()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  endings.push(async () => {
    await endpoint.close()
    const closed = new Promise((resolve) => http.close(resolve))
    http.closeAllConnections()
    await closed
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  return { url, endpoint, begun, cancelled, streamOpened, wait: (ms: number) => (now += ms) }
}

describe('the endpoint', () => {
  it.each<[Era, string]>([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ])('stops a call of the era %s when its client cancels it', async (era, version) => {
    const { url, begun, cancelled } = await startEndpoint()
    const client = await connectWithToken(url, 'one', era)
    endings.push(() => client.close())
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    const controller = new AbortController()
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal })
    const outcome = call.catch((error: unknown) => error)
    await begun.promise
    controller.abort()
    await cancelled.promise
    expect(await outcome).toBeInstanceOf(Error)
  })

  it.each<Era>(['legacy', 'auto'])('stops a call of the era %s when it closes', async (era) => {
    const { url, endpoint, begun, cancelled } = await startEndpoint()
    const client = await connectWithToken(url, 'one', era)
    endings.push(() => client.close())
    const outcome = client.callTool({ name: 'wait', arguments: {} }).catch((error: unknown) => error)
    await begun.promise
    await endpoint.close()
    await cancelled.promise
    await client.close()
    expect(await outcome).toBeInstanceOf(Error)
  })

  it('ends the session that was used longest ago when there are too many', async () => {
    const { url, wait } = await startEndpoint({ maxSessions: 2 })
    const clients = []
    for (let index = 0; index < 3; index++) {
      clients.push(await connectWithToken(url, 'one'))
      wait(1)
    }
    for (const client of clients) endings.push(() => client.close())
    await expect(clients[0]?.ping()).rejects.toThrow()
    expect(await clients[1]?.ping()).toEqual({})
    expect(await clients[2]?.ping()).toEqual({})
  })

  it('ends idle sessions', async () => {
    const { url, wait, streamOpened } = await startEndpoint()
    const idle = await connectWithToken(url, 'one')
    // The client opens a stream of its own accord, the last thing it does unasked.
    await streamOpened.promise
    await idle.ping()
    wait(30 * 60 * 1000 + 1)
    const busy = await connectWithToken(url, 'one')
    endings.push(
      () => idle.close(),
      () => busy.close(),
    )
    await expect(idle.ping()).rejects.toThrow()
    expect(await busy.ping()).toEqual({})
  })
})
