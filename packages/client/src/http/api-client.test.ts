import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createApiClient } from './api-client.ts'
import type { ApiClient } from './api-client.ts'
import { ApiError } from './api-error.ts'

interface Asked {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

/** A client whose fetch answers what it is told, in turn, and remembers what it was asked. */
function clientWith(...answers: readonly (Response | Error)[]): {
  readonly api: ApiClient
  readonly asked: Asked[]
  readonly signOuts: () => number
} {
  const asked: Asked[] = []
  let signOuts = 0
  const api = createApiClient({
    onSignedOut: () => signOuts++,
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted()
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
      asked.push({ method: init?.method ?? 'GET', url: input as string, body })
      const answer = answers[Math.min(asked.length, answers.length) - 1]
      if (answer === undefined) return Response.json({})
      if (answer instanceof Error) throw answer
      return answer.clone()
    },
  })
  return { api, asked, signOuts: () => signOuts }
}

const refusal = (status: number, error: object): Response => Response.json({ error }, { status })
const noAnswer = (): Error => new TypeError('fetch failed')

describe('api client', () => {
  it('throws what the server refused with, field and all', async () => {
    const { api } = clientWith(
      refusal(400, { code: 'invalid', message: 'No such folder.', field: 'roots.0' }),
    )
    const error = await api.changeSettings({ roots: ['/nowhere'] }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'invalid', field: 'roots.0', message: 'No such folder.' })
  })

  it('goes by the status when somebody else answered', async () => {
    const { api } = clientWith(new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(api.settings()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('reads a second time when no answer came', async () => {
    const { api, asked } = clientWith(noAnswer(), Response.json({ userId: 'u', version: '1' }))
    expect(await api.me()).toEqual({ userId: 'u', version: '1' })
    expect(asked).toHaveLength(2)
  })

  it('gives up after the second time', async () => {
    const { api, asked } = clientWith(noAnswer())
    await expect(api.me()).rejects.toMatchObject({ code: 'unreachable' })
    expect(asked).toHaveLength(2)
  })

  it('never sends a change twice', async () => {
    const { api, asked } = clientWith(noAnswer())
    await expect(api.createThread()).rejects.toMatchObject({ code: 'unreachable' })
    expect(asked).toHaveLength(1)
  })

  it('does not ask again what was refused', async () => {
    const { api, asked } = clientWith(refusal(503, { code: 'unavailable', message: 'Stopping.' }))
    await expect(api.me()).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(1)
  })

  it('ends with the reason of the signal when it is aborted', async () => {
    const { api, asked } = clientWith()
    const reason = new Error('left the page')
    await expect(api.threads({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(asked).toHaveLength(0)
  })

  it('says so when the login is over', async () => {
    const { api, signOuts } = clientWith(refusal(401, { code: 'signed_out', message: 'Sign in.' }))
    await expect(api.me()).rejects.toMatchObject({ code: 'signed_out' })
    expect(signOuts()).toBe(1)
  })

  it('lets no id change the path', async () => {
    const { api, asked } = clientWith()
    await api.thread('../settings?x=1#y')
    expect(asked[0]?.url).toBe('/api/threads/..%2Fsettings%3Fx%3D1%23y')
  })

  it('leaves out of a query what was not given', async () => {
    const { api, asked } = clientWith()
    await api.threads({ before: 7, archived: true })
    await api.threads()
    expect(asked.map(({ url }) => url)).toEqual(['/api/threads?before=7&archived=true', '/api/threads'])
  })

  it('reads an artifact in parts', async () => {
    const { api } = clientWith(
      new Response('half', { headers: { 'x-next-offset': '4' } }),
      new Response('rest'),
    )
    expect(await api.artifact('t', 'a')).toEqual({ text: 'half', nextOffset: 4 })
    expect(await api.artifact('t', 'a', { offset: 4 })).toEqual({ text: 'rest' })
  })

  it('has a function for every route that is described', async () => {
    const { api, asked } = clientWith()
    const noTransport = { name: 'n', transport: { type: 'http', url: 'http://127.0.0.1' } } as const
    await Promise.all([
      api.health(),
      api.logout(),
      api.me(),
      api.threads(),
      api.createThread(),
      api.searchThreads('x'),
      api.thread(':threadId'),
      api.changeThread(':threadId', {}),
      api.deleteThread(':threadId'),
      api.events(':threadId'),
      api.sendMessage(':threadId', { text: 'hi', messageId: 'm' }),
      api.stopTurn(':threadId'),
      api.continueTurn(':threadId', 'token'),
      api.artifact(':threadId', ':artifactId'),
      api.media(':threadId', ':ref'),
      api.runs(),
      api.run(':runId'),
      api.stats(),
      api.approvals(),
      api.answerApproval(':approvalId', 'deny'),
      api.alwaysAllowed(),
      api.removeAlwaysAllowed(':tool'),
      api.toolkits(),
      api.setScopes(':toolkit', { read: true, write: false, admin: false }),
      api.connect('notes'),
      api.signIn(':connectionId'),
      api.giveKey(':connectionId', 'key'),
      api.makeDefault(':connectionId'),
      api.disconnect(':connectionId'),
      api.mcpServers(),
      api.previewMcpServer(noTransport),
      api.addMcpServer(noTransport),
      api.removeMcpServer(':slug'),
      api.settings(),
      api.changeSettings({}),
      api.testModel(),
      api.diagnostics(),
      api.reset(),
    ])
    const links = [
      api.threadExportUrl(':threadId', 'jsonl'),
      api.mediaUrl(':threadId', ':ref'),
      api.exportUrl(),
    ].map((url) => `GET ${url}`)
    const reached = [...asked.map(({ method, url }) => `${method} ${url}`), ...links].map((line) =>
      decodeURIComponent(line.split('?')[0] ?? ''),
    )

    const described = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
    const routes = [...described.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^`?]+)`/gm)].map(
      (m) => m[1],
    )
    // A browser follows the stream through the socket; the description itself is for programs.
    const elsewhere = new Set(['GET /api/threads/:threadId/stream', 'GET /api/openapi.json'])
    expect(new Set(reached)).toEqual(new Set(routes.filter((route) => route && !elsewhere.has(route))))
  })
})
