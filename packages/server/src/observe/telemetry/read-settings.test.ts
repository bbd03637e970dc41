import { describe, expect, it } from 'vitest'
import { readTelemetrySettings } from './read-settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

describe('the settings of telemetry', () => {
  it('are off without an endpoint, and when the SDK is disabled', () => {
    expect(readTelemetrySettings({})).toEqual({ problems: [] })
    expect(readTelemetrySettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'True' })).toEqual({ problems: [] })
  })

  it('follow from one endpoint', () => {
    expect(readTelemetrySettings(ENDPOINT)).toEqual({
      problems: [],
      settings: {
        tracesUrl: 'http://collector:4318/v1/traces',
        metricsUrl: 'http://collector:4318/v1/metrics',
        ratio: 1,
        content: false,
        spanDelayMs: 5_000,
        metricsIntervalMs: 60_000,
      },
    })
  })

  it('take the address of a signal as it is, and leave out a signal that is not exported', () => {
    const { settings } = readTelemetrySettings({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.org/in',
      OTEL_METRICS_EXPORTER: 'none',
    })
    expect(settings).toMatchObject({ tracesUrl: 'https://traces.example.org/in' })
    expect(settings).not.toHaveProperty('metricsUrl')
  })

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 0.25],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, 1],
  ])('read the sampler %o', (env, ratio) => {
    expect(readTelemetrySettings({ ...ENDPOINT, ...env }).settings?.ratio).toBe(ratio)
  })

  it.each([
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_BSP_SCHEDULE_DELAY: 'soon' },
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'collector:4318' },
  ])('say what cannot be used: %o', (env) => {
    const { settings, problems } = readTelemetrySettings({ ...ENDPOINT, ...env })
    expect(problems).toHaveLength(1)
    expect(settings).toMatchObject({ ratio: 1, spanDelayMs: 5_000 })
  })
})
