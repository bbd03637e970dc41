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

/** A client whose fetch gives these answers in turn and keeps the requests. */
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

describe('the HTTP client', () => {
  it('throws the code, the message and the field of a refusal', async () => {
    const { api } = clientWith(
      refusal(400, { code: 'invalid', message: 'No such folder.', field: 'roots.0' }),
    )
    const error = await api.changeSettings({ roots: ['/nowhere'] }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'invalid', field: 'roots.0', message: 'No such folder.' })
  })

  it('uses the status when a proxy answered without our body', async () => {
    const { api } = clientWith(new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(api.settings()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('tries a read a second time when no answer came', async () => {
    const { api, asked } = clientWith(noAnswer(), Response.json({ userId: 'u', version: '1' }))
    expect(await api.me()).toEqual({ userId: 'u', version: '1' })
    expect(asked).toHaveLength(2)
  })

  it('gives up a read after the second try', async () => {
    const { api, asked } = clientWith(noAnswer())
    await expect(api.me()).rejects.toMatchObject({ code: 'unreachable' })
    expect(asked).toHaveLength(2)
  })

  it('never sends a change twice', async () => {
    const { api, asked } = clientWith(noAnswer())
    await expect(api.createThread()).rejects.toMatchObject({ code: 'unreachable' })
    expect(asked).toHaveLength(1)
  })

  it('does not repeat a request that was refused', async () => {
    const { api, asked } = clientWith(refusal(503, { code: 'unavailable', message: 'Stopping.' }))
    await expect(api.me()).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(1)
  })

  it('rejects with the reason of the signal when it is aborted', async () => {
    const { api, asked } = clientWith()
    const reason = new Error('left the page')
    await expect(api.threads({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(asked).toHaveLength(0)
  })

  it('reports that the login is over', async () => {
    const { api, signOuts } = clientWith(refusal(401, { code: 'signed_out', message: 'Sign in.' }))
    await expect(api.me()).rejects.toMatchObject({ code: 'signed_out' })
    expect(signOuts()).toBe(1)
  })

  it('encodes ids, so that none changes the path', async () => {
    const { api, asked } = clientWith()
    await api.thread('../settings?x=1#y')
    expect(asked[0]?.url).toBe('/api/threads/..%2Fsettings%3Fx%3D1%23y')
  })

  it('leaves absent fields out of the query', async () => {
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

  it('sends the given headers, and follows no redirect with them', async () => {
    const sent: (RequestInit | undefined)[] = []
    const api = createApiClient({
      base: 'http://127.0.0.1:1/',
      headers: { authorization: 'Bearer secret' },
      fetch: async (_input, init) => {
        sent.push(init)
        return Response.json({})
      },
    })
    await api.me()
    expect(sent[0]).toMatchObject({ redirect: 'error', headers: { authorization: 'Bearer secret' } })
  })

  it('reads server-sent events however they are cut into chunks', async () => {
    const lines =
      'retry: 1000\n\nid: 1\ndata: {"seq":1,"delta":"grüß"}\n\n: still here\n\nid: 2\r\ndata: {"seq":2}\r\n\r\n'
    const bytes = new TextEncoder().encode(lines)
    for (const size of [1, 7, bytes.length]) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
          controller.close()
        },
      })
      const { api } = clientWith(new Response(body))
      const events: unknown[] = []
      for await (const event of await api.streamEvents('t', { after: 0 })) events.push(event)
      expect(events).toEqual([{ seq: 1, delta: 'grüß' }, { seq: 2 }])
    }
  })

  it('has a function for every route', async () => {
    const { api, asked } = clientWith()
    const noTransport = { name: 'n', transport: { type: 'http', url: 'http://127.0.0.1' } } as const
    await Promise.all([
      api.health(),
      api.logout(),
      api.me(),
      api.openApi(),
      api.threads(),
      api.createThread(),
      api.searchThreads('x'),
      api.thread(':threadId'),
      api.changeThread(':threadId', {}),
      api.deleteThread(':threadId'),
      api.events(':threadId'),
      api.streamEvents(':threadId'),
      api.sendMessage(':threadId', { text: 'hi', messageId: 'm' }),
      api.stopTurn(':threadId'),
      api.continueTurn(':threadId', 'token'),
      api.artifact(':threadId', ':artifactId'),
      api.exportThread(':threadId', 'jsonl'),
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
      api.exportAll(),
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
    expect(new Set(reached)).toEqual(new Set(routes))
  })
})
