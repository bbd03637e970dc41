import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { traceIdOf } from '@capstan/harness/telemetry'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import type { MessageReceipt, RunId, ThreadSummary } from '@capstan/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAuth } from '../../auth/auth.ts'
import { redeem, toClient } from '../../http/test-server.fixture.ts'
import { startServer } from '../../serve.ts'
import type { World } from '../../sessions/assistant.fixture.ts'
import {
  connectNotes,
  createFolder,
  NO_MODELS,
  openWorld,
  startNotes,
  toPreset,
} from '../../sessions/assistant.fixture.ts'
import { createLogger } from '../logger.ts'
import { CLERK, look } from './clerk.fixture.ts'
import type { Collector } from './collector.fixture.ts'
import { drawTree, startCollector } from './collector.fixture.ts'

const TIMEOUT = { timeout: 60_000 }

const toEnv = ({ url }: Pick<Collector, 'url'>) => ({
  ...NO_MODELS,
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '20',
})

async function submit({ assistant }: World, words: string): Promise<RunId> {
  const threads = assistant.threadsOf('local')
  const session = await threads.open((await threads.create()).id)
  const { runId, outcome } = await session.submit(words)
  await outcome
  return runId!
}

const ofTrace = ({ spans }: Collector, runId: RunId) =>
  spans.filter(({ traceId }) => traceId === traceIdOf(runId))

const hasRoot = (collector: Collector, runId: RunId) => () =>
  ofTrace(collector, runId).some(({ parentSpanId }) => !parentSpanId)

describe('a collector', TIMEOUT, () => {
  it('receives a turn with a sub-agent and a request to an MCP server as one tree', async () => {
    const collector = await startCollector()
    const app = await startNotes()
    const model = new ScriptedModel(
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'What is there?' }),
      calls('list_pages'),
      says('Two pages.'),
      says('There are two pages.'),
    )
    const world = await openWorld({ env: toEnv(collector), presets: [toPreset(app)], model })
    await connectNotes(world, app)
    const runId = await submit(world, 'What is in my Notes?')
    await collector.until(hasRoot(collector, runId))
    expect(drawTree(ofTrace(collector, runId))).toEqual([
      'execute_tool delegate_to_integrations_agent > invoke_agent integrations_agent',
      'execute_tool list_pages > tools/call list_pages',
      'invoke_agent integrations_agent > chat model',
      'invoke_agent integrations_agent > execute_tool list_pages',
      'invoke_agent session',
      'invoke_agent session > chat model',
      'invoke_agent session > execute_tool delegate_to_integrations_agent',
    ])
    const request = collector.spans.find(({ name }) => name === 'tools/call list_pages')!
    expect(request.attributes).toMatchObject({ 'mcp.method.name': 'tools/call', 'network.transport': 'tcp' })
    expect(world.problems).toEqual([])
  })

  it('receives a killed turn and its second half under one trace id, from both processes', async () => {
    const collector = await startCollector()
    const folder = await createFolder()
    const script = new URL('./turn-process.fixture.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, folder, collector.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const runId = String(line).trim() as RunId
    await collector.until(() => ofTrace(collector, runId).length === 3)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(drawTree(ofTrace(collector, runId))).toEqual(['? > chat model', '? > execute_tool look'])

    const model = new ScriptedModel(says('Filed.'), says('Done.'))
    await openWorld({ folder, env: toEnv(collector), model, agents: [CLERK], tools: [look] })
    await collector.until(hasRoot(collector, runId))
    const spans = ofTrace(collector, runId)
    expect(drawTree(spans)).toEqual([
      'execute_tool delegate_to_clerk > invoke_agent clerk',
      'invoke_agent clerk > chat model',
      'invoke_agent clerk > execute_tool look',
      'invoke_agent session',
      'invoke_agent session > chat model',
      'invoke_agent session > execute_tool delegate_to_clerk',
    ])
    expect(new Set(spans.map(({ instance }) => instance)).size).toBe(2)
  })

  it('receives the metrics of /metrics', async () => {
    const collector = await startCollector()
    const model = new ScriptedModel(calls('look'), says('Done.'))
    const env = { ...toEnv(collector), OTEL_METRIC_EXPORT_INTERVAL: '200' }
    const world = await openWorld({ env, model, tools: [look] })
    await submit(world, 'Look.')
    const done = () =>
      collector.metrics
        .get('capstan.turns')
        ?.points.some(({ attributes, value }) => attributes['outcome'] === 'done' && value === 1) === true
    await collector.until(done)
    const { points, unit } = collector.metrics.get('gen_ai.client.operation.duration')!
    expect(unit).toBe('s')
    expect(points).toHaveLength(1)
    const [{ attributes, count, bounds, counts }] = points as [(typeof points)[0]]
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'model',
    })
    expect(count).toBe(2)
    expect(counts).toHaveLength(bounds!.length + 1)
    expect(counts!.reduce((sum, one) => sum + one, 0)).toBe(2)
    expect([...collector.metrics.keys()].filter((name) => !/^(?:capstan|gen_ai)\./.test(name))).toEqual([])
  })

  it('receives no contents by default, and only scrubbed ones when they are switched on', async () => {
    const secret = 'seeded-env-key-1234abcd5678'
    const run = async (more: Record<string, string>) => {
      const collector = await startCollector()
      const model = new ScriptedModel(calls('look', { at: 'the red box' }), says('A drawer it is.'))
      const env = { ...toEnv(collector), OPENAI_API_KEY: secret, ...more }
      const world = await openWorld({ env, model, tools: [look] })
      const runId = await submit(world, `Where is it? My key is ${secret}.`)
      await collector.until(hasRoot(collector, runId))
      return collector.bodies.join('\n')
    }
    const parts = ['Where is it?', 'the red box', 'a drawer', 'A drawer it is.']
    const plain = await run({})
    for (const part of parts) expect(plain).not.toContain(part)
    const full = await run({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' })
    for (const part of parts) expect(full).toContain(part)
    expect(plain + full).not.toContain(secret)
  })

  it('that does not answer slows nothing down and is reported once', async () => {
    const world = await openWorld({
      env: toEnv({ url: 'http://127.0.0.1:9' }),
      model: new ScriptedModel(calls('look'), says('Done.')),
      tools: [look],
    })
    await submit(world, 'Look.')
    await world.assistant.stop({ graceMs: 0 })
    expect(world.problems.length).toBeLessThanOrEqual(1)
  })
})

describe('a message over HTTP', TIMEOUT, () => {
  async function serve(env: Record<string, string>) {
    const lines: string[] = []
    const logger = createLogger({ level: 'debug', to: { write: (line) => void lines.push(line) } })
    const folder = await createFolder()
    const model = new ScriptedModel(says('Hello.'), says('Hello again.'))
    const world = await openWorld({ folder, env, model, logger })
    const auth = openAuth({ folder })
    const server = await startServer({ assistant: world.assistant, auth, port: 0, logger })
    onTestFinished(() => server.stop({ graceMs: 0 }))
    const login = await redeem(server.url, auth.mintTicket())
    const client = toClient(server, login.headers.getSetCookie()[0]!.split(';')[0]!, 'local')
    const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
    const send = async (traceparent?: string): Promise<RunId> => {
      const answer = await client.request(`/api/threads/${id}/messages`, {
        method: 'POST',
        body: JSON.stringify({ text: 'Hello', messageId: randomUUID() }),
        headers: { 'content-type': 'application/json', ...(traceparent && { traceparent }) },
      })
      await world.assistant.threadsOf('local').idle()
      expect(answer.status).toBe(202)
      return ((await answer.json()) as MessageReceipt).runId!
    }
    return { send, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
  }

  it('that comes with a trace context joins that trace, and its span links the turn', async () => {
    const collector = await startCollector()
    const { send } = await serve(toEnv(collector))
    const [trace, caller] = ['a'.repeat(32), 'b'.repeat(16)]
    const runId = await send(`00-${trace}-${caller}-01`)
    await send() // without one there is no such span
    await collector.until(() => collector.spans.some(({ traceId }) => traceId === trace))
    await collector.until(hasRoot(collector, runId))
    const requests = collector.spans.filter(({ name }) => name.startsWith('POST'))
    expect(requests).toMatchObject([
      {
        traceId: trace,
        parentSpanId: caller,
        name: 'POST /api/threads/:threadId/messages',
        links: [{ traceId: traceIdOf(runId) }],
      },
    ])
    const root = ofTrace(collector, runId).find(({ parentSpanId }) => !parentSpanId)!
    expect(requests[0]!.links[0]!.spanId).toBe(root.spanId)
  })

  it('is logged with the trace id of its turn, and so is the end of the turn', async () => {
    const collector = await startCollector()
    const { send, lines } = await serve(toEnv(collector))
    const runId = await send()
    const trace_id = traceIdOf(runId)
    expect(lines()).toContainEqual(expect.objectContaining({ msg: 'request', runId, trace_id }))
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: 'a turn ended', outcome: 'done', runId, trace_id }),
    )
  })

  it('is logged without a trace id when telemetry is off', async () => {
    const { send, lines } = await serve(NO_MODELS)
    const runId = await send(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
    const named = lines().filter((line) => line['runId'] === runId)
    expect(named.length).toBeGreaterThan(0)
    expect(JSON.stringify(named)).not.toContain('trace_id')
  })
})
