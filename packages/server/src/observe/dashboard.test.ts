import { readFile } from 'node:fs/promises'
import { fail } from '@capstan/harness'
import { ScriptedModel, calls, callsMany, fails, says, stubTool } from '@capstan/harness/testing'
import type { ThreadSummary } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Client } from '../http/test-server.fixture.ts'
import { startTestServer } from '../http/test-server.fixture.ts'
import { finds, readSamples, selectorsOf } from './metric-queries.fixture.ts'

const DEPLOY = new URL('../../../../deploy/', import.meta.url)

/** A server after a few turns: one that waits for a message, one that a guard stops, and one whose model fails. */
async function readMetricsAfterUse(): Promise<string> {
  const waiting = Promise.withResolvers<string>()
  const failing = () => fail('no', { httpStatus: 404 })
  const model = new ScriptedModel(
    calls('wait'),
    says('Done.'),
    ...Array.from({ length: 3 }, () => calls('break_it', { n: 1 })),
    fails({ httpStatus: 401 }),
  )
  const server = await startTestServer({
    model,
    agent: { tools: [stubTool('wait', () => waiting.promise), stubTool('break_it', failing)] },
  })
  const client = await server.logIn()
  const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
  const idle = () => server.assistant.threadsOf('local').idle()
  const send = (text: string, mode = 'send') =>
    client.json('POST', `/api/threads/${id}/messages`, { text, mode, messageId: text })
  const socket = client.open()
  await socket.emitWithAck('thread-watch', { threadId: id, after: 0 })
  const called = new Promise<void>((resolve) => {
    socket.on('turn-events', (events) => {
      if (events.some(({ type }) => type === 'tool-start')) resolve()
    })
  })
  await send('Wait.')
  await called
  await send('And hurry.', 'steer')
  waiting.resolve('over')
  await idle()
  await send('Break it.')
  await idle()
  await send('Fail.')
  await idle()
  await breakServer(client, server.assistant.store.ledger)
  return (await client.request('/metrics')).text()
}

/** A request from another site, and one that ends with an internal error. */
async function breakServer(client: Client, ledger: { lastSeq: unknown }): Promise<void> {
  await client.request('/api/threads', { headers: { origin: 'https://elsewhere.example' } })
  const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
  ledger.lastSeq = () => {
    throw new Error('the disk said no')
  }
  expect((await client.request(`/api/threads/${id}`)).status).toBe(500)
}

async function readDashboard(): Promise<readonly string[]> {
  const text = await readFile(new URL('grafana/capstan.json', DEPLOY), 'utf8')
  const found: string[] = []
  JSON.parse(text, (key, value: unknown) => {
    if ((key === 'expr' || key === 'definition') && typeof value === 'string') found.push(value)
    return value
  })
  return found
}

async function readAlerts(): Promise<readonly string[]> {
  const text = await readFile(new URL('alerts/capstan.yaml', DEPLOY), 'utf8')
  const rules = text.matchAll(/^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.+)\n)/gm)
  return [...rules].map(([, folded, plain]) => (folded ?? plain ?? '').trim())
}

describe('the metrics of a server that was used', () => {
  it('answer every query of the dashboard and of the alerts', async () => {
    const samples = readSamples(await readMetricsAfterUse())
    const [panels, alerts] = [await readDashboard(), await readAlerts()]
    expect(panels.length).toBeGreaterThan(25)
    expect(alerts).toHaveLength(13)
    const empty = [...panels, ...alerts]
      .flatMap(selectorsOf)
      .filter((selector) => !finds(selector, samples))
      .map(({ text }) => text)
    expect([...new Set(empty)]).toEqual([])
  }, 60_000)

  it('grow no series for the names that a model or an app makes up', async () => {
    const made = callsMany(Array.from({ length: 300 }, (_, n) => ({ tool: `made_up_${n}\n"x"` })))
    const server = await startTestServer({
      model: new ScriptedModel(made, says('Done.')),
      agent: { limits: { maxCalls: 1_000 } },
    })
    const client = await server.logIn()
    const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
    await client.json('POST', `/api/threads/${id}/messages`, { text: 'Go.', messageId: 'message_1' })
    await server.assistant.threadsOf('local').idle()
    const text = await (await client.request('/metrics')).text()
    expect(text).not.toContain('made_up')
    expect(readSamples(text).filter(({ name }) => name === 'capstan_tool_calls_total')).toHaveLength(1)
  })
})
