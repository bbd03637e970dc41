import type { Environment } from '../../settings/choose-model.ts'

/** Where telemetry is sent, and how much of it. */
export interface TelemetrySettings {
  /** Absent: no spans. */
  readonly tracesUrl?: string
  /** Absent: no metrics. */
  readonly metricsUrl?: string
  /** The share of turns that are traced, from 0 to 1. */
  readonly ratio: number
  /** Whether spans carry messages, arguments and results. */
  readonly content: boolean
  readonly spanDelayMs: number
  readonly metricsIntervalMs: number
}

/** What the variables say, and what is wrong with them. */
interface ReadSettings {
  /** Undefined when telemetry is off. */
  readonly settings?: TelemetrySettings
  readonly problems: readonly string[]
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const PROTOCOL = 'OTEL_EXPORTER_OTLP_PROTOCOL'

/** Reads the standard `OTEL_…` variables. Without an endpoint telemetry is off. */
export function readTelemetrySettings(env: Environment): ReadSettings {
  if (isTrue(env['OTEL_SDK_DISABLED'])) return { problems: [] }
  const problems: string[] = []
  const tracesUrl = readUrl(env, 'TRACES', 'v1/traces', problems)
  const metricsUrl = readUrl(env, 'METRICS', 'v1/metrics', problems)
  if (tracesUrl === undefined && metricsUrl === undefined) return { problems }
  const protocol = env[PROTOCOL]
  if (protocol && protocol !== 'http/json')
    problems.push(`${PROTOCOL} is ${JSON.stringify(protocol)}, and only http/json is sent`)
  const settings = {
    ...(tracesUrl === undefined ? undefined : { tracesUrl }),
    ...(metricsUrl === undefined ? undefined : { metricsUrl }),
    ratio: readRatio(env, problems),
    content: isTrue(env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']),
    spanDelayMs: readMs(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000, problems),
    metricsIntervalMs: readMs(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000, problems),
  }
  return { settings, problems }
}

function readUrl(
  env: Environment,
  signal: 'TRACES' | 'METRICS',
  path: string,
  problems: string[],
): string | undefined {
  const exporters = env[`OTEL_${signal}_EXPORTER`]?.trim()
  if (exporters && !exporters.split(',').includes('otlp')) return undefined
  const own = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`
  const name = env[own] ? own : ENDPOINT
  const given = env[name]?.trim()
  if (!given) return undefined
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) {
    problems.push(`${name} is not an http address`)
    return undefined
  }
  return name === own ? given : `${given.replace(/\/$/, '')}/${path}`
}

const RATIOS: Readonly<Record<string, (argument: number) => number>> = {
  always_on: () => 1,
  always_off: () => 0,
  traceidratio: (argument) => argument,
}

/** The decision is always that of the turn, so a sampler and its `parentbased_` form are the same. */
function readRatio(env: Environment, problems: string[]): number {
  const name = env['OTEL_TRACES_SAMPLER']
  if (!name) return 1
  const toRatio = RATIOS[name.replace(/^parentbased_/, '')]
  const ratio = toRatio?.(Number(env['OTEL_TRACES_SAMPLER_ARG'] ?? 1))
  if (ratio !== undefined && ratio >= 0 && ratio <= 1) return ratio
  problems.push('OTEL_TRACES_SAMPLER or its argument cannot be used, and all turns are traced')
  return 1
}

function readMs(env: Environment, name: string, usual: number, problems: string[]): number {
  const given = env[name]
  if (!given) return usual
  const ms = Number(given)
  if (ms >= 1) return ms
  problems.push(`${name} is not a number of milliseconds`)
  return usual
}

const isTrue = (value: string | undefined): boolean => value?.trim().toLowerCase() === 'true'
