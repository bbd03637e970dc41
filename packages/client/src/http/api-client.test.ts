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
      const isStream = new Headers(init?.headers).get('accept') === 'text/event-stream'
      if (answer === undefined) return isStream ? eventStream('') : Response.json({})
      if (answer instanceof Error) throw answer
      return answer.clone()
    },
  })
  return { api, asked, signOuts: () => signOuts }
}

const refusal = (status: number, error: object): Response => Response.json({ error }, { status })
const eventStream = (body: string | ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
const html = (): Response => new Response('<html>', { headers: { 'content-type': 'text/html' } })
/** A body that gives these parts and then breaks off. */
const cutShort = (...parts: readonly string[]): ReadableStream<Uint8Array> => {
  const left = [...parts]
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      const part = left.shift()
      if (part === undefined) controller.error(new TypeError('terminated'))
      else controller.enqueue(new TextEncoder().encode(part))
    },
  })
}
const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ resolvedWith: value }),
    (reason: unknown) => reason,
  )
const noAnswer = (): Error => new TypeError('fetch failed')

const LIMITS = { turnsAtOnce: 1, messagesPerMinute: 1, usdPerDay: 1, threads: 1, storedMegabytes: 1000 }

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
      const { api } = clientWith(eventStream(body))
      const events: unknown[] = []
      for await (const event of await api.streamEvents('t', { after: 0 })) events.push(event)
      expect(events).toEqual([{ seq: 1, delta: 'grüß' }, { seq: 2 }])
    }
  })

  it.each(['<html>', '', 'null', '[]', '7', '"x"'])(
    'rejects with unavailable when the body is %j',
    async (body) => {
      const { api } = clientWith(new Response(body))
      for (const call of [api.threads(), api.events('t'), api.createThread()]) {
        const error = await failureOf(call)
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({
          code: 'unavailable',
          message: 'The server did not answer with JSON of this API.',
        })
      }
    },
  )

  it('rejects with unavailable when a page answers a command without a result', async () => {
    const { api } = clientWith(html())
    const error = await failureOf(api.deleteThread('t'))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'unavailable' })
    const accepted = clientWith(new Response(null, { status: 204 }))
    await expect(accepted.api.deleteThread('t')).resolves.toBeUndefined()
  })

  it('rejects with unreachable when the body is cut short', async () => {
    const calls: readonly ((api: ApiClient) => Promise<unknown>)[] = [
      (api) => api.threads(),
      (api) => api.artifact('t', 'a'),
      (api) => api.exportThread('t', 'jsonl'),
      (api) => api.media('t', 'm'),
    ]
    for (const call of calls) {
      const { api } = clientWith(new Response(cutShort('{"a":')))
      const error = await failureOf(call(api))
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code: 'unreachable', message: 'The answer of the server broke off.' })
    }
  })

  it('rejects with the reason of the signal when it is aborted while the body is read', async () => {
    const aborter = new AbortController()
    const reason = new Error('left the page')
    const body = new ReadableStream({
      pull(controller) {
        aborter.abort(reason)
        controller.error(new TypeError('terminated'))
      },
    })
    const { api } = clientWith(new Response(body))
    await expect(api.threads({ signal: aborter.signal })).rejects.toBe(reason)
  })

  it.each([
    { given: { code: 5, message: {} }, code: 'invalid', message: 'The server answered with status 400.' },
    {
      given: { code: 'conflict', message: {} },
      code: 'conflict',
      message: 'The server answered with status 400.',
    },
    { given: { code: '', message: 'Why.' }, code: 'invalid', message: 'Why.' },
    { given: { code: 'new_code', message: 'Why.' }, code: 'new_code', message: 'Why.' },
    { given: 'text', code: 'invalid', message: 'The server answered with status 400.' },
  ])('rejects with text alone when the problem is $given', async ({ given, code, message }) => {
    const { api } = clientWith(Response.json({ error: given }, { status: 400 }))
    const error = await failureOf(api.threads())
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code, message })
  })

  it('leaves out a field and a pause of a problem that cannot be used', async () => {
    for (const retryAfterMs of ['soon', -1, null]) {
      const { api } = clientWith(
        refusal(429, { code: 'rate_limited', message: 'Wait.', field: {}, retryAfterMs }),
      )
      const error = (await failureOf(api.threads())) as ApiError
      expect([error.code, error.field, error.retryAfterMs]).toEqual(['rate_limited', undefined, undefined])
    }
  })

  it('rejects with unavailable when a stream is no event stream', async () => {
    for (const answer of [html(), Response.json({}), new Response('data: {}')]) {
      const { api } = clientWith(answer)
      const error = await failureOf(api.streamEvents('t'))
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({
        code: 'unavailable',
        message: 'The server did not answer with an event stream.',
      })
    }
  })

  it('ends a stream with an ApiError when it breaks off or is not JSON', async () => {
    const read = async (answer: Response): Promise<unknown[]> => {
      const got: unknown[] = []
      const { api } = clientWith(answer)
      const error = await failureOf(
        (async () => {
          for await (const event of await api.streamEvents('t')) got.push(event)
        })(),
      )
      expect(error).toBeInstanceOf(ApiError)
      return [...got, (error as ApiError).code]
    }
    expect(await read(eventStream(cutShort('data: {"seq":1}\n\n')))).toEqual([{ seq: 1 }, 'unreachable'])
    expect(await read(eventStream('data: {"seq":1}\n\ndata: {oops\n\n'))).toEqual([{ seq: 1 }, 'unavailable'])
  })

  it.each([
    { name: 'a line that never ends', part: 'x' },
    { name: 'an event that never ends', part: 'data: x\n' },
    { name: 'an event of empty lines that never ends', part: 'data:\n' },
  ])('ends a stream with $name, and drops its connection', async ({ part }) => {
    const mb = new TextEncoder().encode(part.repeat(Math.ceil(2 ** 20 / part.length)))
    let sentMb = 0
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sentMb++ < 20) controller.enqueue(mb)
        else controller.close()
      },
      cancel() {
        isCancelled = true
      },
    })
    const api = createApiClient({ fetch: async () => eventStream(body) })
    const events = await api.streamEvents('t')
    const error = await failureOf(events[Symbol.asyncIterator]().next())
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      code: 'unavailable',
      message: 'An event of the stream is larger than 8 MB.',
    })
    expect(sentMb).toBeLessThan(12)
    expect(isCancelled).toBe(true)
  })

  it('reads a stream of any length whose events are small', async () => {
    const big = `data: {"text":"${'x'.repeat(3 * 2 ** 20)}"}\n: comment\n\n`
    const { api } = clientWith(eventStream(big.repeat(4)))
    let count = 0
    for await (const event of await api.streamEvents('t')) if (event) count++
    expect(count).toBe(4)
  })

  it('has a function for every route', async () => {
    const { api, asked } = clientWith()
    const noTransport = { name: 'n', transport: { type: 'http', url: 'http://127.0.0.1' } } as const
    await Promise.all([
      api.health(),
      api.ready(),
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
      api.transcript(':runId'),
      api.stats(),
      api.approvals(),
      api.answerApproval(':approvalId', 'deny'),
      api.revealApproval(':approvalId'),
      api.grants(),
      api.revokeGrant(':grantId'),
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
      api.changeMcpServer(':slug', { shared: true }),
      api.proposeMappings(':slug'),
      api.removeMcpServer(':slug'),
      api.sandbox(),
      api.actions(':toolkit'),
      api.setActionEffect(':toolkit', { action: 'a', effect: 'read', digest: 'd' }),
      api.logInAgain('ticket'),
      api.logins(),
      api.revokeLogin(':loginId'),
      api.revokeOtherLogins(),
      api.members(),
      api.addMember('ada'),
      api.linkMember(':userId'),
      api.changeMember(':userId', { limits: LIMITS }),
      api.removeMember(':userId'),
      api.spending(),
      api.changeSpending({}),
      api.secrets(),
      api.putSecret(':name', { value: 'v', hosts: [] }),
      api.removeSecret(':name'),
      api.syncs(),
      api.sync(':connectionId'),
      api.estimateSync(':connectionId'),
      api.switchSyncOn(':connectionId', {}),
      api.switchSyncOff(':connectionId'),
      api.jobs(),
      api.job(':jobId'),
      api.changeJob(':jobId', 'pause'),
      api.changeJob(':jobId', 'resume'),
      api.changeJob(':jobId', 'run-now'),
      api.changeJob(':jobId', 'cancel'),
      api.triggers(),
      api.trigger(':triggerId'),
      api.correctTrigger(':triggerId', { right: 'drop' }),
      api.triggerSources(),
      api.addTriggerSource({ kind: 'generic', name: 'Orders' }),
      api.changeTriggerSource(':sourceId', {}),
      api.replaceTriggerSecret(':sourceId'),
      api.removeTriggerSource(':sourceId'),
      api.testTriggerSource(':sourceId'),
      api.triggerExamples(':sourceId'),
      api.removeTriggerExample(':triggerId'),
      api.changeTriggerSettings({}),
      api.notifications(),
      api.seeNotifications([]),
      api.schedules(),
      api.schedule(':scheduleId'),
      api.previewSchedule({ when: 'hourly' }),
      api.addSchedule({ prompt: 'Look.', when: 'hourly' }),
      api.changeSchedule(':scheduleId', {}),
      api.removeSchedule(':scheduleId'),
      api.steerSchedule(':scheduleId', 'pause'),
      api.steerSchedule(':scheduleId', 'resume'),
      api.steerSchedule(':scheduleId', 'run-now'),
      api.searchMemory('words'),
      api.memoryItems(),
      api.addMemoryItems([]),
      api.memoryApps(),
      api.memoryItem(':itemId'),
      api.forgetItem(':itemId'),
      api.forgetItems([]),
      api.forgetApp(':app'),
      api.exportMemory(),
      api.facts(),
      api.addFact('Likes tea.'),
      api.changeFact(':factId', { status: 'accepted' }),
      api.forgetFact(':factId'),
      api.hold(),
      api.release(),
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
      api.memoryExportUrl(),
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
