import type { Integrations } from '@capstan/harness/integrations'
import type { TurnObserver } from '@capstan/harness/seams'
import { calmObserver } from '@capstan/harness/telemetry'
import type { Ledger } from '@capstan/harness/stores'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Update } from '../../sessions/assistant.ts'
import type { ClusterMetrics } from './cluster-metrics.ts'
import { createClusterMetrics } from './cluster-metrics.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import { createDeliveryMetrics } from './delivery-metrics.ts'
import { createModelMetrics } from './model-metrics.ts'
import { timeLedger } from './timed-ledger.ts'
import { createTurnMetrics } from './turn-metrics.ts'

/**
 * Metrics for the operator, at `/metrics` and over OTLP. They contain no name of a user, a thread or a file, and the
 * values of each label are few.
 */
export interface Metrics extends DeliveryMetrics {
  /** What nodes do for one another. */
  readonly cluster: ClusterMetrics
  /** Counts turns, their model calls and their calls. */
  readonly observer: TurnObserver
  /** All of them, for an exporter. */
  readonly registry: Registry
  countUpdate(update: Update): void
  /** Counts how often these read apps, and how often they failed. */
  countReads(integrations: Integrations): void
  /** A message waits for a running turn, until it is known whether the turn takes it. */
  countQueued(delivery: Promise<unknown>): void
  /** The same ledger, with its commits measured. */
  timeLedger(ledger: Ledger): Ledger
  read(): Promise<{ readonly text: string; readonly contentType: string }>
  close(): void
}

const LEDGER_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const QUEUE_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

/** Creates the metrics of an installation. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const turns = createTurnMetrics(registers)
  const modelCalled = createModelMetrics(registers)
  const connections = new Counter({
    name: 'capstan_connection_changes_total',
    help: 'Changes of connections, by new status.',
    labelNames: ['status'],
    registers,
  })
  const ledger = new Histogram({
    name: 'capstan_ledger_seconds',
    help: 'Duration of commits and syncs.',
    labelNames: ['operation'],
    buckets: LEDGER_SECONDS,
    registers,
  })

  return {
    ...createDeliveryMetrics(registers),
    observer: calmObserver({ ...turns.observer, modelCalled: (_, call) => modelCalled(call) }),
    registry,
    cluster: createClusterMetrics(registers),
    countUpdate(update) {
      if (update.type === 'turn-event') turns.countEvent(update.event)
      else if (update.type === 'connection-change') connections.inc({ status: update.connection.status })
    },
    countReads: (integrations) => registry.registerMetric(createReadCounter(integrations)),
    countQueued: createQueueMetrics(registers),
    timeLedger: (inner) => timeLedger(inner, (operation, ms) => ledger.observe({ operation }, ms / 1000)),
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    close: () => registry.clear(),
  }
}

const createReadCounter = (integrations: Integrations): Counter =>
  new Counter({
    name: 'capstan_integrations_total',
    help: 'Reads of apps and their actions, and their failures.',
    labelNames: ['what'],
    registers: [],
    collect() {
      this.reset()
      for (const [what, times] of Object.entries(integrations.counts())) this.inc({ what }, times)
    },
  })

function createQueueMetrics(registers: Registry[]): Metrics['countQueued'] {
  const depth = new Gauge({
    name: 'capstan_queue_depth',
    help: 'Messages that wait for a running turn.',
    registers,
  })
  const wait = new Histogram({
    name: 'capstan_queue_wait_seconds',
    help: 'How long messages waited for a running turn.',
    buckets: QUEUE_SECONDS,
    registers,
  })
  return (delivery) => {
    const started = performance.now()
    const done = () => {
      depth.dec()
      wait.observe((performance.now() - started) / 1000)
    }
    depth.inc()
    delivery.then(done, done)
  }
}
