import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { createTelemetry } from './create-telemetry.ts'
import { RunIds } from './run-ids.ts'

/** Telemetry of one process that keeps its finished spans in memory. */
export function traceRuns({ ratio, content }: { ratio?: number; content?: boolean } = {}) {
  const exporter = new InMemorySpanExporter()
  const ids = new RunIds()
  const provider = new TracerProvider({
    idGenerator: ids,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(ratio === undefined ? undefined : { sampler: new TraceIdRatioBasedSampler(ratio) }),
  })
  const tracer = provider.getTracer('test')
  const telemetry = createTelemetry({ tracer, ids, content: content === true })
  return {
    ...telemetry,
    spans: (): readonly ReadableSpan[] => exporter.getFinishedSpans(),
    /** The spans by their names, each below its parent. A parent that was not exported is `?`. */
    tree: () => drawTree(exporter.getFinishedSpans()),
  }
}

function drawTree(spans: readonly ReadableSpan[]): readonly string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
  return spans
    .map(({ name, parentSpanContext: parent }) =>
      parent ? `${names.get(parent.spanId) ?? '?'} > ${name}` : name,
    )
    .toSorted()
}
