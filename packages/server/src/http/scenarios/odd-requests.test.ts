import { createMemoryStore } from '@capstan/harness/stores'
import type { ApiProblem } from '@capstan/protocol'
import { openEmbeddedStore } from '@capstan/stores'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder, startTestServer } from '../test-server.fixture.ts'
import { ROUTES } from '../routes/routes.ts'
import { apiProblem } from '../schemas/account.ts'

const IDS = [
  '..%2f..%2fetc',
  '%00',
  '%F0%9F%92%A9',
  '__proto__',
  'constructor',
  "'%20OR%201=1--",
  'x'.repeat(300),
]
const QUERIES = [
  '?limit=-1',
  '?limit=1e309',
  '?after=9007199254740993',
  '?after=NaN',
  '?before=',
  '?days=0',
  '?q=%00',
  '?q=%22%28%2A',
  '?format=exe',
  '?__proto__=1',
  '?limit=1&limit=2',
]
const BODIES = [
  'null',
  '0',
  '[]',
  '"x"',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{}}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '{"text":"\\ud800","messageId":"\\u0000"}',
  '{"title":null}',
  '{"decision":"expired"}',
  '{"confirm":"RESET"}',
  '',
]

describe('a malformed request', () => {
  it.each(['memory', 'a folder'])(
    'is refused on every route, on a store in %s',
    async (where) => {
      const limits = { burst: 1e6, perSecond: 1e6 }
      const folder = await createFolder()
      const store = where === 'memory' ? createMemoryStore() : openEmbeddedStore({ folder })
      onTestFinished(() => store.close())
      const server = await startTestServer({
        store,
        limits: { requests: limits, messages: limits, openings: limits },
      })
      const client = await server.logIn()
      const refused: string[] = []
      const ask = async (method: string, path: string, body?: string): Promise<void> => {
        const sent = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }
        const answer = await client.request(path, { method, ...sent })
        const text = await answer.text()
        expect(answer.status, `${method} ${path} ${body?.slice(0, 50)} ${text}`).toBeLessThan(500)
        if (answer.status < 400) return
        const problem = JSON.parse(text) as ApiProblem
        expect(apiProblem.safeParse(problem).success, text).toBe(true)
        refused.push(problem.error.code)
      }
      for (const { method, path, body } of ROUTES) {
        if (path === '/api/logout') continue
        const plain = path.replaceAll(/:(\w+)/g, 'unknown')
        const hasId = plain !== path
        if (hasId) for (const id of IDS) await ask(method, path.replaceAll(/:(\w+)/g, id))
        if (method === 'GET') for (const query of QUERIES) await ask(method, `${plain}${query}`)
        if (body) for (const odd of BODIES) await ask(method, plain, odd)
      }
      expect(new Set(refused)).toEqual(new Set(['invalid', 'not_found']))
      expect(refused.length).toBeGreaterThan(300)
      expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
      expect((await client.request('/api/me')).status).toBe(200)
    },
    30_000,
  )

  it('with an unknown method is refused', async () => {
    const client = await (await startTestServer()).logIn()
    for (const method of ['PUT', 'PATCH', 'PROPFIND', 'OPTIONS'])
      expect((await client.request('/api/threads', { method })).status).toBe(404)
    expect((await client.request('/', { method: 'POST' })).status).toBe(404)
  })
})
