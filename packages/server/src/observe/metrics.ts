import type { Integrations } from '@capstan/harness/integrations'
import type { TurnEvent } from '@capstan/protocol'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Update } from '../sessions/assistant.ts'

/** Metrics for the operator. They contain no name of a user, a thread or a file. */
export interface Metrics {
  readonly sockets: Gauge
  readonly streams: Gauge
  countRequest(route: { readonly method: string; readonly path: string }, status: number, ms: number): void
  countSent(events: readonly TurnEvent[], isLive: boolean): void
  countRefusal(reason: string): void
  countUpdate(update: Update): void
  read(): Promise<{ readonly text: string; readonly contentType: string }>
  close(): void
}

const PREFIX = 'capstan_'
const HTTP_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const DELAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function createMetrics(integrations: Integrations): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: `${PREFIX}http_request_seconds`,
    help: 'Duration of requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: HTTP_SECONDS,
    registers,
  })
  const refusals = new Counter({
    name: `${PREFIX}refusals_total`,
    help: 'Refused requests and sockets.',
    labelNames: ['reason'],
    registers,
  })
  const sent = new Counter({
    name: `${PREFIX}events_sent_total`,
    help: 'Events sent to watchers, live or from the ledger.',
    labelNames: ['from'],
    registers,
  })
  const delay = new Histogram({
    name: `${PREFIX}event_delay_seconds`,
    help: 'Delay from an event to its delivery.',
    buckets: DELAY_SECONDS,
    registers,
  })
  const turns = new Counter({
    name: `${PREFIX}turns_total`,
    help: 'Turns that ended, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const failures = new Counter({
    name: `${PREFIX}failures_total`,
    help: 'Failures of calls, model calls and turns, by class.',
    labelNames: ['class', 'where'],
    registers,
  })
  const connections = new Counter({
    name: `${PREFIX}connection_changes_total`,
    help: 'Changes of connections, by new status.',
    labelNames: ['status'],
    registers,
  })
  const directory = new Counter({
    name: `${PREFIX}integrations_total`,
    help: 'Reads of apps and their actions, and their failures.',
    labelNames: ['what'],
    registers: [],
    collect() {
      this.reset()
      for (const [what, times] of Object.entries(integrations.counts())) this.inc({ what }, times)
    },
  })
  registry.registerMetric(directory)
  /** Runs of sub-agents, until they end. */
  const below = new Set<string>()

  function countEvent(event: TurnEvent): void {
    if (event.type === 'turn-start' && event.depth > 0) below.add(event.runId)
    else if (event.type === 'tool-end' && event.failure)
      failures.inc({ class: event.failure.class, where: 'call' })
    else if (event.type === 'model-retry') failures.inc({ class: event.failure.class, where: 'model' })
    else if (event.type === 'turn-end' && !below.delete(event.runId)) {
      turns.inc({ outcome: event.outcome.type })
      if (event.outcome.type === 'failed') failures.inc({ class: event.outcome.failure.class, where: 'turn' })
    }
  }

  return {
    sockets: new Gauge({ name: `${PREFIX}sockets`, help: 'Open sockets.', registers }),
    streams: new Gauge({ name: `${PREFIX}streams`, help: 'Open event streams.', registers }),
    countRequest: ({ method, path }, status, ms) =>
      requests.observe({ method, route: path, status }, ms / 1000),
    countSent(events, isLive) {
      sent.inc({ from: isLive ? 'live' : 'ledger' }, events.length)
      const now = Date.now()
      if (isLive) for (const { at } of events) delay.observe(Math.max(0, now - at) / 1000)
    },
    countRefusal: (reason) => refusals.inc({ reason }),
    countUpdate(update) {
      if (update.type === 'turn-event') countEvent(update.event)
      else if (update.type === 'connection-change') connections.inc({ status: update.connection.status })
    },
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    close: () => registry.clear(),
  }
}
