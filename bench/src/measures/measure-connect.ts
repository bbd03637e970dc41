import { createThreads, defineTool, textOf } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import type { ModelClient } from '@capstan/harness'
import type { ModelRequest } from '@capstan/harness/models'
import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import { toCall, toReply } from '../script.ts'
import type { Script } from '../script.ts'
import { createTape } from '../tape.ts'
import { beginConnecting, createBenchConnector, VISITOR } from './bench-connector.ts'
import { toFiftyApps } from './fifty-apps.ts'

export interface MeasuredConnect {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly runs: number
  readonly problems: readonly string[]
}

const WARM_UP = 20
const RUNS = 300
const WAIT = 'wait_for_news'
const DONE = 'It is connected.'

/**
 * Measures the time from the callback of a sign-in to the next model call that knows the app, in a running turn. It
 * starts when the user returns, and ends when the model is called with the notice. A tool of the turn waits for the
 * connection, so nothing else is measured. There are fifty apps, all but one connected already.
 */
export async function measureConnect(): Promise<MeasuredConnect> {
  const apps = toFiftyApps()
  const store = createMemoryStore()
  const integrations = createIntegrations({
    connectors: [createBenchConnector(apps)],
    store: store.connections,
  })
  const { connections, bus } = integrations
  const [late, ...others] = apps.map(({ slug }) => slug)
  for (const slug of others) await (await beginConnecting(connections, slug))()

  async function run(): Promise<{ readonly ms: number; readonly problem?: string }> {
    const waiting = Promise.withResolvers<void>()
    const connected = Promise.withResolvers<string>()
    const stop = bus.subscribe((event) => {
      if (event.type !== 'connections-changed') return
      const { connection } = event
      if (connection.status === 'active') connected.resolve(`${connection.toolkit} is connected`)
    })
    const wait = defineTool({
      name: WAIT,
      description: 'Waits for a connection.',
      input: { type: 'object', properties: {} },
      effect: 'read',
      run() {
        waiting.resolve()
        return connected.promise
      },
    })
    let notified: { readonly at: number; readonly request: ModelRequest } | undefined
    const model = watch(createFakeModelClient(createTape(toScript(), 'newest')), (request, n) => {
      if (n === 1) notified = { at: performance.now(), request }
    })
    const threads = createThreads({
      store,
      bus,
      agent: { model, origin: 'web', ...integrations.forUser(VISITOR.userId, [wait]) },
    })
    const { id } = await threads.create()
    const session = await threads.open(id)
    const turn = session.send('Tell me when it is connected.')
    const finish = await beginConnecting(connections, late!)
    await waiting.promise
    const startedAt = performance.now()
    const connection = await finish()
    const outcome = await turn
    stop()
    await threads.stop()
    await threads.delete(id)
    await connections.disconnect(VISITOR.userId, connection.id)
    const notices = notified?.request.messages.filter(({ role }) => role === 'notice').map(textOf) ?? []
    const isAnnounced = notices.length === 1 && notices[0]!.includes(`"${late}"`)
    if (outcome.text !== DONE) return { ms: 0, problem: `the turn ended ${outcome.type}: ${outcome.text}` }
    if (!notified || !isAnnounced)
      return { ms: 0, problem: `the next model call knew ${notices.length} changes` }
    return { ms: notified.at - startedAt }
  }

  const times: number[] = []
  for (let n = 0; n < WARM_UP + RUNS; n++) {
    const { ms, problem } = await run()
    if (problem !== undefined) return { p50Ms: 0, p95Ms: 0, runs: n, problems: [problem] }
    if (n >= WARM_UP) times.push(ms)
  }
  await integrations.close()
  return { p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), runs: times.length, problems: [] }
}

function toScript(): Script {
  return {
    replies: [toReply([], [toCall(0, WAIT, {})]), toReply([DONE])],
    finalText: DONE,
    lookups: [],
  }
}

function watch(model: ModelClient, onRequest: (request: ModelRequest, n: number) => void): ModelClient {
  let calls = 0
  return {
    ...model,
    stream(request, signal, onPart) {
      onRequest(request, calls++)
      return model.stream(request, signal, onPart)
    },
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Number(sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(3))
}
