import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpConnector } from '@capstan/connectors'
import { createMemoryStore } from '@capstan/harness/stores'
import { startNotesApp } from '@capstan/notes-app'
import type { ThreadPage } from '@capstan/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { TestServer } from '../../packages/server/src/http/test-server.fixture.ts'
import { startTestServer } from '../../packages/server/src/http/test-server.fixture.ts'
import { launchBrowser } from './fixtures/launch-browser.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

async function newPage(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context.newPage()
}

/** Logs in with the printed link; the requests of the page then carry the cookie. */
async function logIn(page: Page, server: TestServer, host: string): Promise<void> {
  await page.goto(`http://${host}:${server.port}/login?ticket=${server.auth.mintTicket()}`)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  expect(await statusOf(page, '/api/me')).toBe(200)
}

const statusOf = (page: Page, path: string): Promise<number> =>
  page.evaluate(async (asked) => (await fetch(asked)).status, path)

/** Sends a request as the web app does. */
const post = <Answer>(page: Page, path: string, body: unknown = {}): Promise<Answer> =>
  page.evaluate(
    async ([asked, sent]) => {
      const headers = { 'content-type': 'application/json' }
      return (await (await fetch(asked!, { method: 'POST', headers, body: sent! })).json()) as never
    },
    [path, JSON.stringify(body)],
  )

/** A foreign site on the same machine: its pages are same-site, so the browser sends the cookie. */
async function startOtherSite(): Promise<string> {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Other</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a page of another site, in a real browser', () => {
  it('opens no socket and posts no form, though the browser has the cookie', async () => {
    const server = await startTestServer()
    const page = await newPage()
    await logIn(page, server, '127.0.0.1')
    await post(page, '/api/threads', { title: 'Mine' })
    await page.goto(await startOtherSite())
    const target = server.url
    const results = await page.evaluate(async (url) => {
      const socket = await new Promise<string>((resolve) => {
        const attempt = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
        attempt.addEventListener('open', () => resolve('open'))
        attempt.addEventListener('error', () => resolve('refused'))
      })
      const body = JSON.stringify({ confirm: 'reset' })
      const plain = { method: 'POST', body, credentials: 'include', mode: 'no-cors' } as const
      const ignore = (): void => {} // the page cannot read the answer
      await fetch(`${url}/api/reset`, plain).catch(ignore)
      await fetch(`${url}/api/logout`, { ...plain, body: '' }).catch(ignore)
      const asked = { ...plain, mode: 'cors', headers: { 'content-type': 'application/json' } } as const
      const cors = await fetch(`${url}/api/reset`, asked).then(String, () => 'refused')
      const read = await fetch(`${url}/api/threads`, { credentials: 'include' }).then(String, () => 'refused')
      return { socket, cors, read }
    }, target)
    expect(results).toEqual({ socket: 'refused', cors: 'refused', read: 'refused' })
    await page.setContent(
      `<form method="post" action="${target}/api/logout"><input name="a" value="b"><button>Go</button></form>`,
    )
    await page.click('button')
    await page.waitForURL(`${target}/api/logout`)
    expect(await page.textContent('body')).toContain('forbidden')
    const { threads } = await page.evaluate(
      async () => (await (await fetch('/api/threads')).json()) as ThreadPage,
    )
    expect(threads.map(({ title }) => title)).toEqual(['Mine'])
  })
})

describe('a sign-in at another site, in a real browser', () => {
  it('returns with the strict cookie and leaves no code in the address', async () => {
    const app = await startNotesApp({ reindexMs: 50, exportBytes: 10_000 })
    onTestFinished(() => app.close())
    const store = createMemoryStore()
    const servers = [{ slug: 'notes', name: 'Notes', transport: { type: 'http' as const, url: app.mcpUrl } }]
    const server = await startTestServer({
      store,
      connectors: [createMcpConnector({ servers, vault: store.connections.vault })],
    })
    const page = await newPage()
    // With another host name than the app, so that the browser sees two sites.
    await logIn(page, server, 'localhost')
    const { id } = await post<{ id: string }>(page, '/api/connections', { toolkit: 'notes' })
    const { url } = await post<{ url: string }>(page, `/api/connections/${id}/sign-in`)
    const cookies: boolean[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.url().includes('/oauth/re')) cookies.push(true)
    })
    await page.goto(url)
    await page.click('button[value=allow]')
    await page.waitForSelector('[data-sign-in="connected"]')
    expect(cookies).toEqual([true]) // the second request, from the app's own page
    await expect.poll(() => page.url()).toBe(`http://localhost:${server.port}/oauth/return`)
    expect((await store.connections.get(id))?.status).toBe('active')
  })
})
