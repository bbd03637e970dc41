import { expect, it, vi } from 'vitest'
import { startCollector } from '../../observe/telemetry/collector.fixture.ts'
import { useNodes } from '../fixtures/nodes.fixture.ts'

const nodes = useNodes()
const WAIT = { timeout: 20_000, interval: 50 }

it('a turn that was taken over is one trace, with the spans of both nodes', async () => {
  const collector = await startCollector()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    NODE_PAUSE_MS: '200',
  }
  const [a, b] = await Promise.all(['a', 'b'].map((name) => nodes.start(name, env)))
  await a!.ask('create', 'thread_1')
  const { runId } = await a!.ask<{ runId: string }>('message', 'thread_1', {
    text: 'notes 8',
    messageId: 'm1',
  })
  const first = await vi.waitFor(() => {
    const span = collector.spans.find(({ name }) => name === 'execute_tool write_note')
    expect(span).toBeDefined()
    return span!
  }, WAIT)
  const [dead, alive] = first.instance === 'a' ? [a!, b!] : [b!, a!]
  await dead.kill()
  await vi.waitFor(async () => {
    const [run] = await alive.ask<readonly { status: string }[]>('runs', 'thread_1')
    expect(run?.status).toBe('done')
  }, WAIT)
  await collector.until(() =>
    collector.spans.some(({ name, instance }) => name.startsWith('invoke_agent') && instance === alive.name),
  )
  const ofTurn = collector.spans.filter(({ traceId }) => traceId === first.traceId)
  expect(new Set(ofTurn.map(({ instance }) => instance))).toEqual(new Set(['a', 'b']))
  const tools = ofTurn.filter(({ name }) => name === 'execute_tool write_note')
  expect(new Set(tools.map(({ instance }) => instance))).toEqual(new Set(['a', 'b']))
  const turns = ofTurn.filter(({ name }) => name.startsWith('invoke_agent'))
  expect(turns.every(({ attributes }) => attributes['gen_ai.conversation.id'] === 'thread_1')).toBe(true)
  expect(runId).toBeDefined()
  await collector.until(() => {
    const taken = collector.metrics.get('capstan.takeovers')?.points[0]?.value ?? 0
    return taken > 0
  })
}, 90_000)
