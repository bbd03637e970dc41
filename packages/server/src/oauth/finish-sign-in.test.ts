import { createMcpConnector } from '@capstan/connectors'
import { createMemoryStore } from '@capstan/harness/stores'
import { startNotesApp } from '@capstan/notes-app'
import type { ConnectionRow, SignInReply, ToolkitList } from '@capstan/protocol'
import type { Logger } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBrowser } from '../../../../examples/notes-app/src/testing/browser.ts'
import type { Client } from '../http/test-server.fixture.ts'
import { startTestServer } from '../http/test-server.fixture.ts'
import { createLogger } from '../observe/logger.ts'

/** Our server, and the Notes app with its consent page. */
async function start(logger?: Logger) {
  const app = await startNotesApp({ reindexMs: 50, exportBytes: 10_000 })
  onTestFinished(() => app.close())
  const store = createMemoryStore()
  const servers = [{ slug: 'notes', name: 'Notes', transport: { type: 'http' as const, url: app.mcpUrl } }]
  const server = await startTestServer({
    store,
    connectors: [createMcpConnector({ servers, vault: store.connections.vault })],
    ...(logger ? { logger } : undefined),
  })
  const client = await server.logIn()
  const connection = await client.json<ConnectionRow>('POST', '/api/connections', { toolkit: 'notes' })

  /** The person goes to the service and says yes or no; where the service sends them is the result. */
  async function visit(decision: 'allow' | 'cancel' = 'allow'): Promise<string> {
    const reply = await client.json<SignInReply>('POST', `/api/connections/${connection.id}/sign-in`)
    if (reply.type !== 'visit') throw new Error(reply.type)
    const browser = createBrowser(app.url)
    await browser.open(reply.url)
    const back = await browser.submit({ account: 'ada', decision })
    if (back.type !== 'left') throw new Error('still there')
    expect(back.to.origin).toBe(server.url)
    return `${back.to.pathname}${back.to.search}`
  }
  const status = async () => {
    const { toolkits } = await client.json<ToolkitList>('GET', '/api/toolkits')
    return toolkits[0]?.connections[0]?.status
  }
  return { server, client, connection, visit, status }
}

/** What a browser does with a page that sends it on. */
function nextOf(page: string): string | undefined {
  return /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
}

const open = async (client: Client, path: string, headers: Record<string, string> = {}) => {
  const answer = await client.request(path, { headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
  return answer.text()
}

describe('a person returning from a service', () => {
  it('is connected although the first request from the other site carries no cookie', async () => {
    const { client, visit, status } = await start()
    const path = await visit()
    const first = await open(client, path, { cookie: '' })
    expect(first).not.toContain('data-sign-in')
    const next = nextOf(first)!
    expect(next.startsWith('/oauth/return?')).toBe(true)
    expect(await status()).toBe('pending')
    expect(await open(client, next)).toContain('data-sign-in="connected"')
    expect(await status()).toBe('active')
  })

  it('is connected in one step when the request carries the cookie', async () => {
    const { client, visit, status } = await start()
    expect(await open(client, await visit())).toContain('data-sign-in="connected"')
    expect(await status()).toBe('active')
  })

  it('sees the same page for every kind of refusal, and nothing changes', async () => {
    const { server, client, visit, status } = await start()
    const path = await visit()
    const code = new URL(path, server.url).searchParams.get('code')!
    const otherUser = await server.logIn('eve')
    const otherBrowser = await server.logIn()
    const pages = [
      await open(client, '/oauth/callback'),
      await open(client, '/oauth/callback?state=guessed&code=guessed'),
      await open(client, `/oauth/callback?code=${code}`),
      await open(client, `/oauth/callback?state=${'x'.repeat(9000)}`),
      await open(client, nextOf(await open(client, path, { cookie: '' }))!, { cookie: '' }),
      await open(client, '/oauth/return?error=access_denied'),
    ]
    expect(await status()).toBe('pending')
    // These use the state up: who has seen it somewhere cannot try it twice.
    pages.push(await open(otherUser, path), await open(otherUser, path))
    expect(await status()).toBe('pending')
    pages.push(await open(otherBrowser, await visit()))
    const elsewhere = `http://localhost:${server.port}${await visit()}`
    pages.push(await (await fetch(elsewhere, { headers: { cookie: client.cookie } })).text())
    expect(await status()).toBe('pending')
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain('data-sign-in="not-connected"')
    for (const page of pages) expect(page).not.toContain(code)
    const good = await visit()
    expect(await open(client, good)).toContain('data-sign-in="connected"')
    expect(await open(client, good)).toBe(pages[0])
    expect(await status()).toBe('active')
  })

  it('leaves one log line and one count per refused sign-in, without the values sent', async () => {
    const lines: string[] = []
    const { server, client, visit } = await start(
      createLogger({ level: 'warn', to: { write: (line) => void lines.push(line) } }),
    )
    const path = await visit()
    const { searchParams } = new URL(path, server.url)
    await open(client, path, { cookie: '' })
    expect(lines).toEqual([])
    await open(await server.logIn('eve'), path)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'a sign-in was refused', userId: 'eve' })
    await open(client, `/oauth/return?state=${'x'.repeat(9000)}`)
    await open(client, '/oauth/return?code=guessed', { cookie: '' })
    expect(lines).toHaveLength(3)
    for (const name of ['state', 'code']) expect(lines.join('')).not.toContain(searchParams.get(name))
    const metrics = await (await client.request('/metrics')).text()
    expect(metrics).toMatch(/^capstan_refusals_total\{reason="sign_in"\} 3$/m)
    await open(client, await visit())
    expect(lines).toHaveLength(3)
  })

  it('is not connected after cancelling', async () => {
    const { client, visit, status } = await start()
    expect(await open(client, await visit('cancel'))).toContain('data-sign-in="not-connected"')
    expect(await status()).toBe('failed')
  })

  it('is redirected only to this server and sees no part of the request', async () => {
    const { client } = await start()
    const page = await open(client, `/oauth/callback?code="><script>alert(1)</script>&x='`, { cookie: '' })
    expect(page).not.toContain('<script>')
    const next = new URL(nextOf(page)!, 'http://ours.example')
    expect(next.origin).toBe('http://ours.example')
    expect(next.pathname).toBe('/oauth/return')
  })
})
