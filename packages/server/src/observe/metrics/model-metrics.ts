import type { ModelCall } from '@capstan/harness/seams'
import { ATTRIBUTE, METRIC, OPERATION, toModelName } from '@capstan/harness/telemetry'
import type { Registry } from 'prom-client'
import { Histogram } from 'prom-client'
import { createBoundedLabel } from './bounded-label.ts'
import { toLabelName, toMetricName } from './otlp-names.ts'

const LABEL = {
  operation: toLabelName(ATTRIBUTE.operation),
  provider: toLabelName(ATTRIBUTE.provider),
  model: toLabelName(ATTRIBUTE.model),
  error: toLabelName(ATTRIBUTE.errorType),
  tokenType: toLabelName(ATTRIBUTE.tokenType),
}

/** Measures model calls with the metrics of the OpenTelemetry conventions. */
export function createModelMetrics(registers: Registry[]): (call: ModelCall) => void {
  const common = [LABEL.operation, LABEL.provider, LABEL.model]
  const histogram = (
    { name, boundaries }: (typeof METRIC)[keyof typeof METRIC],
    unit: 's' | '{token}',
    help: string,
    more: readonly string[] = [],
  ) =>
    new Histogram({
      name: toMetricName(name, unit),
      help,
      labelNames: [...common, ...more],
      buckets: [...boundaries],
      registers,
    })
  const durations = histogram(METRIC.duration, 's', 'Duration of model calls, retries included.', [
    LABEL.error,
  ])
  const firstChunks = histogram(METRIC.firstChunk, 's', 'Time to the first part of a reply.')
  const tokens = histogram(METRIC.tokens, '{token}', 'Tokens of one model call.', [LABEL.tokenType])
  const label = createBoundedLabel()

  return ({ model: id, durationMs, firstPartMs, reply, failure }) => {
    const { provider, model } = toModelName(id)
    const labels = {
      [LABEL.operation]: OPERATION.chat,
      [LABEL.provider]: label(provider),
      [LABEL.model]: label(model),
    }
    durations.observe({ ...labels, [LABEL.error]: failure?.class ?? '' }, durationMs / 1000)
    if (firstPartMs !== undefined) firstChunks.observe(labels, firstPartMs / 1000)
    if (!reply) return
    tokens.observe({ ...labels, [LABEL.tokenType]: 'input' }, reply.usage.inputTokens)
    tokens.observe({ ...labels, [LABEL.tokenType]: 'output' }, reply.usage.outputTokens)
  }
}
