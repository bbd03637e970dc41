import type { RequestTracer } from '@capstan/harness/connectors'
import type { TurnObserver } from '@capstan/harness/seams'
import type { Logger } from 'pino'
import type { Environment } from '../settings/choose-model.ts'
import { SILENT } from './logger.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createMetrics } from './metrics/metrics.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { openTelemetry } from './telemetry/telemetry.ts'
import { createTurnLog, NO_TRACE, toTraceFields } from './turn-log.ts'

/** What an operator sees of turns: metrics, spans and log lines. */
export interface TurnObservation {
  /** For routes and sockets. */
  readonly shown: { readonly metrics: Metrics; readonly telemetry?: Telemetry }
  /** For connectors. Absent when telemetry is off. */
  readonly tracer?: RequestTracer
  /** For the agents of all users. */
  readonly observers: readonly TurnObserver[]
  close(): Promise<void>
}

export async function observeTurns(options: {
  readonly env: Environment
  readonly logger?: Logger
  /** The name of this node among others. */
  readonly instanceId?: string
  readonly onProblem: (problem: unknown) => void
}): Promise<TurnObservation> {
  const { env, logger = SILENT, onProblem } = options
  const metrics = createMetrics()
  const telemetry = await openTelemetry(env, onProblem, options.instanceId)
  telemetry?.exportMetrics(metrics.registry)
  const log = createTurnLog(logger, telemetry ? toTraceFields : NO_TRACE)
  return {
    shown: { metrics, ...(telemetry && { telemetry }) },
    ...(telemetry && { tracer: telemetry.requests }),
    observers: [metrics.observer, log, ...(telemetry ? [telemetry.observer] : [])],
    async close() {
      await telemetry?.close()
      metrics.close()
    },
  }
}
