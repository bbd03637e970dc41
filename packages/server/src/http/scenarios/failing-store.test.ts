import { StoreError } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import type { Store } from '@capstan/harness/stores'
import { ScriptedModel, says } from '@capstan/harness/testing'
import type { ApiProblem, MessageReceipt, ThreadSummary } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { ROUTES } from '../routes/routes.ts'
import { connected, startTestServer } from '../test-server.fixture.ts'

/** A store whose every method throws while `isBroken` is true. */
function breakable(store: Store, isBroken: () => boolean): Store {
  const wrap = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        if (typeof value === 'function')
          return (...args: unknown[]) => {
            if (isBroken()) throw new StoreError('io', 'the disk of /home/ada is gone')
            return (value as (...all: unknown[]) => unknown).apply(target, args)
          }
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? wrap(value) : value
      },
    })
  return wrap(store)
}

it('a failing store is refused on every route, crashes nothing, and requests succeed once it works again', async () => {
  let isBroken = false
  const store = breakable(createMemoryStore(), () => isBroken)
  const server = await startTestServer({
    store,
    model: new ScriptedModel(...Array.from({ length: 5 }, () => says('Hello.'))),
    limits: { requests: { burst: 1000, perSecond: 1000 }, messages: { burst: 100, perSecond: 100 } },
  })
  const client = await server.logIn()
  const { id: threadId } = await client.json<ThreadSummary>('POST', '/api/threads', {})
  const sendMessage = (messageId: string) =>
    client.json<MessageReceipt>('POST', `/api/threads/${threadId}/messages`, { text: 'Hi', messageId })
  const { runId } = await sendMessage('message_1')
  await server.assistant.threadsOf('local').idle()
  const ids: Record<string, string> = { threadId, runId: runId! }
  const socket = client.open()
  expect(await connected(socket)).toBe('connected')
  const stream = await client.request(`/api/threads/${threadId}/stream`)

  isBroken = true
  expect(await socket.emitWithAck('thread-watch', { threadId, after: 0 })).toMatchObject({ ok: false })
  const statuses = new Set<number>()
  for (const { method, path, body, example } of ROUTES.filter((route) => route.path !== '/api/logout')) {
    const asked = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'any')
    const answer = await client.request(path.endsWith('search') ? `${asked}?q=a` : asked, {
      method,
      ...(body ? { body: JSON.stringify(example), headers: { 'content-type': 'application/json' } } : {}),
    })
    const text = await answer.text().catch(() => '')
    expect(text, path).not.toContain('/home/ada')
    if (answer.status >= 400) expect((JSON.parse(text) as ApiProblem).error.code, path).toBeTypeOf('string')
    statuses.add(answer.status)
  }
  expect(statuses).toContain(503)

  isBroken = false
  expect(await sendMessage('message_2')).toMatchObject({ runId: expect.any(String) as string })
  await server.assistant.threadsOf('local').idle()
  expect(await socket.emitWithAck('thread-watch', { threadId, after: 0 })).toMatchObject({ ok: true })
  await stream.body?.cancel()
})

it('a server whose store throws or stays silent is not ready, and is ready again when it answers', async () => {
  let mode: 'works' | 'throws' | 'silent' = 'works'
  const inner = createMemoryStore()
  const threads: Store['threads'] = {
    ...inner.threads,
    get(id) {
      if (mode === 'throws') throw new StoreError('io', 'the disk of /home/ada is gone')
      return mode === 'silent' ? new Promise(() => {}) : inner.threads.get(id)
    },
  }
  const server = await startTestServer({ store: { ...inner, threads } })
  const ready = () => fetch(`${server.url}/api/ready`)
  expect((await ready()).status).toBe(200)
  mode = 'throws'
  const refusal = await ready()
  expect(refusal.status).toBe(503)
  expect(await refusal.text()).not.toContain('/home/ada')
  mode = 'silent'
  expect((await ready()).status).toBe(503)
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  mode = 'works'
  expect((await ready()).status).toBe(200)
})
