// The only file that loads the SDK. It is imported when telemetry is on.
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import type { DiagLogger, Tracer } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import {
  CONVENTIONS,
  RunIds,
  createTelemetry,
  parseTraceparent,
  runSpanIdOf,
  traceIdOf,
} from '@capstan/harness/telemetry'
import { VERSION } from '@capstan/protocol'
import { createMetricProducer } from './metric-producer.ts'
import type { TelemetrySettings } from './read-settings.ts'
import type { Telemetry, TurnRequest } from './telemetry.ts'

/** How long the end of the process waits for a collector. */
const CLOSE_MS = 3_000
/** How often a collector that does not answer is reported. */
const REPORT_EVERY_MS = 10 * 60_000

/** Starts exporters for what the settings name. Whether the collector answers is never waited for. */
export function startSdk(
  settings: TelemetrySettings,
  onProblem: (problem: unknown) => void,
  instanceId?: string,
): Telemetry {
  diag.setLogger(reportRarely(onProblem), { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
  const resource = describeProcess(instanceId)
  const ids = new RunIds()
  const tracers = createTracers(settings, resource, ids)
  const tracer = tracers.getTracer('capstan', VERSION, { schemaUrl: CONVENTIONS })
  let meters: MeterProvider | undefined

  return {
    ...createTelemetry({ tracer, ids, content: settings.content }),
    exportMetrics(registry) {
      const { metricsUrl: url, metricsIntervalMs } = settings
      if (url === undefined) return
      const reader = new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url }),
        exportIntervalMillis: metricsIntervalMs,
        exportTimeoutMillis: Math.min(metricsIntervalMs, 10_000),
        metricProducers: [createMetricProducer(registry, resource)],
      })
      meters = new MeterProvider({ resource, readers: [reader] })
    },
    noteRequest: (request) => traceRequest(tracer, request),
    async close() {
      const closing = Promise.allSettled([tracers.shutdown(), meters?.shutdown()])
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))
      await Promise.race([closing, late])
      clearTimeout(timer)
    },
  }
}

function createTracers(
  { tracesUrl: url, ratio, spanDelayMs }: TelemetrySettings,
  resource: Resource,
  ids: RunIds,
): TracerProvider {
  return new TracerProvider({
    resource,
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(url === undefined ? 0 : ratio) }),
    spanProcessors:
      url === undefined
        ? []
        : [
            new BatchSpanProcessor({
              exporter: new OTLPTraceExporter({ url }),
              scheduledDelayMillis: spanDelayMs,
            }),
          ],
  })
}

/** Which program this is. What `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say wins. */
const describeProcess = (instanceId: string | undefined): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'capstan', 'service.version': VERSION }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector] }))
    .merge(resourceFromAttributes(instanceId === undefined ? {} : { 'service.instance.id': instanceId }))
    .merge(detectResources({ detectors: [envDetector] }))

function traceRequest(tracer: Tracer, request: TurnRequest): void {
  const { method, route, status, ms, runId } = request
  const caller = parseTraceparent(request.traceparent)
  if (!caller) return
  const end = Date.now()
  const turn = { traceId: traceIdOf(runId), spanId: runSpanIdOf(runId), traceFlags: TraceFlags.SAMPLED }
  const span = tracer.startSpan(
    `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      startTime: end - ms,
      links: [{ context: turn }],
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      },
    },
    trace.setSpanContext(ROOT_CONTEXT, caller),
  )
  span.end(end)
}

function reportRarely(onProblem: (problem: unknown) => void): DiagLogger {
  let quietUntil = 0
  const ignore = (): void => {}
  return {
    error(message) {
      if (Date.now() < quietUntil) return
      quietUntil = Date.now() + REPORT_EVERY_MS
      onProblem(new Error(`telemetry could not be sent: ${message}`))
    },
    warn: ignore,
    info: ignore,
    debug: ignore,
    verbose: ignore,
  }
}
