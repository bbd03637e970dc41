import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SignInStep } from '@capstan/harness/connectors'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectionTo, createMcpWorld } from './mcp-world.fixture.ts'

const SIGN_IN = {
  state: 'state-0123456789abcdef0123456789abcdef',
  redirectUri: 'http://127.0.0.1:8787/oauth/callback',
}

/** The port of a small server. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A port at which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const page: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
}
const json = (body: object): string => JSON.stringify(body)

/** Asks for a sign-in and names a service at which nobody can register. */
function guardedServer(): RequestListener {
  return ({ url = '', headers: { host } }, response) => {
    const self = `http://${host}`
    if (url.startsWith('/.well-known/oauth-protected-resource'))
      return response.end(json({ resource: `${self}/mcp`, authorization_servers: [self] }))
    if (url.startsWith('/.well-known/'))
      return response.end(
        json({
          issuer: self,
          authorization_endpoint: `${self}/authorize`,
          token_endpoint: `${self}/token`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        }),
      )
    const metadata = `${self}/.well-known/oauth-protected-resource`
    return response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end()
  }
}

async function connect(url: string, auth?: 'none'): Promise<SignInStep> {
  const server = { slug: 'notes', transport: { type: 'http', url } as const, ...(auth && { auth }) }
  const { connector } = createMcpWorld([server], { openTimeoutMs: 500 })
  onTestFinished(() => connector.close())
  return connector.beginSignIn({ ...connectionTo('notes'), status: 'pending' }, SIGN_IN)
}

describe.each([undefined, 'none'] as const)(
  'a server with the sign-in %s that cannot be connected says',
  (auth) => {
    const expectCode = async (url: string, reasonCode: string, reason: RegExp): Promise<void> => {
      const step = await connect(url, auth)
      expect(step).toMatchObject({ type: 'settled', status: 'failed', reasonCode })
      expect(step).toHaveProperty('reason', expect.stringMatching(reason))
    }

    it('that nothing answers at its port', async () => {
      await expectCode(`http://127.0.0.1:${await closedPort()}/mcp`, 'unreachable', /^Nothing answers/)
    })

    it('that its name is not known', async () => {
      await expectCode('https://no-such-host.invalid/mcp', 'unknown-host', /name of the server/)
    })

    it('that its certificate or its TLS is at fault', async () => {
      await expectCode(`https://127.0.0.1:${await listen(page)}/mcp`, 'insecure', /secure connection/)
    })

    it('that a web page answers', async () => {
      await expectCode(`http://127.0.0.1:${await listen(page)}/mcp`, 'not-mcp', /web page/)
    })

    it('that there is no MCP server at its path', async () => {
      const port = await listen((_, response) => response.writeHead(404).end('nothing here'))
      await expectCode(`http://127.0.0.1:${port}/mcp`, 'not-mcp', /no MCP server/)
    })

    it('that it did not answer in time', async () => {
      await expectCode(`http://127.0.0.1:${await listen(() => {})}/mcp`, 'timeout', /in time/)
    })
  },
)

describe('a server that asks for a sign-in', () => {
  it('and lets nobody register says so', async () => {
    const step = await connect(`http://127.0.0.1:${await listen(guardedServer())}/mcp`)
    expect(step).toMatchObject({ type: 'settled', status: 'failed', reasonCode: 'no-registration' })
  })

  it('and offers none says so', async () => {
    const port = await listen((_, response) => response.writeHead(401).end())
    const step = await connect(`http://127.0.0.1:${port}/mcp`)
    expect(step).toMatchObject({ type: 'settled', status: 'failed', reasonCode: 'no-registration' })
  })
})
