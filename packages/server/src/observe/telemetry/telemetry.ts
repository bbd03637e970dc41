import type { TurnTelemetry } from '@capstan/harness/telemetry'
import type { RunId } from '@capstan/protocol'
import type { Registry } from 'prom-client'
import type { Environment } from '../../settings/choose-model.ts'
import { readTelemetrySettings } from './read-settings.ts'

/** Sends spans and metrics to a collector. */
export interface Telemetry extends TurnTelemetry {
  /** Sends these metrics from now on. */
  exportMetrics(registry: Registry): void
  /** A request has started a turn. When it came with a trace context, its span joins that trace and links the turn. */
  noteRequest(request: TurnRequest): void
  /** Sends what is left, if the collector answers soon. Never rejects. */
  close(): Promise<void>
}

/** A request that started a turn. */
export interface TurnRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly traceparent: string | undefined
  readonly runId: RunId
}

/** Opens telemetry as the `OTEL_…` variables say. Undefined when they name no collector: then no SDK is loaded. */
export async function openTelemetry(
  env: Environment,
  onProblem: (problem: unknown) => void,
  instanceId?: string,
): Promise<Telemetry | undefined> {
  const { settings, problems } = readTelemetrySettings(env)
  for (const problem of problems) onProblem(new Error(`telemetry: ${problem}`))
  if (!settings) return undefined
  const { startSdk } = await import('./sdk.ts')
  return startSdk(settings, onProblem, instanceId)
}
