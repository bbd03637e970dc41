import type { HrTime } from '@opentelemetry/api'
import { ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { DataPoint, Histogram, MetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import { VERSION } from '@capstan/protocol'
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client'
import { toAttributeName, toOtlpName } from '../metrics/otlp-names.ts'

type Metric = MetricObjectWithValues<MetricValue<string>>

/** Metrics of ours. Those of the process are for `/metrics` alone. */
const OWN = /^(?:capstan|gen_ai)_/

/** Reads the metrics of `/metrics` for OTLP, so that both say the same. */
export function createMetricProducer(registry: Registry, resource: Resource): MetricProducer {
  const startTime = toHrTime(Date.now())
  return {
    async collect() {
      const read = (await registry.getMetricsAsJSON()) as unknown as readonly Metric[]
      const times = { startTime, endTime: toHrTime(Date.now()) }
      const metrics = read
        .filter(({ name, values }) => OWN.test(name) && values.length > 0)
        .map((metric) => toMetricData(metric, times))
      const scope = { name: 'capstan', version: VERSION }
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
    },
  }
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>

function toMetricData(metric: Metric, times: Times): MetricData {
  const { name, help, type, values } = metric
  const descriptor = { ...toOtlpName(name), description: help, valueType: ValueType.DOUBLE }
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  // The declarations of prom-client name a type by a number, and its values by a word.
  const kind = String(type)
  if (kind === 'histogram') {
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(metric, times) }
  }
  const dataPoints = values.map(({ labels, value }) => ({
    ...times,
    attributes: toAttributes(labels),
    value,
  }))
  if (kind === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
  return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
}

interface Series {
  readonly attributes: Record<string, string | number>
  readonly boundaries: number[]
  /** Each with the ones before it, as Prometheus counts. */
  readonly cumulative: number[]
  sum: number
  count: number
}

/** Joins the buckets of each series. */
function toHistograms({ name, values }: Metric, times: Times): DataPoint<Histogram>[] {
  const all = new Map<string, Series>()
  for (const { labels, value, metricName } of values as readonly MetricValueWithName<string>[]) {
    const { le, ...own } = labels as Readonly<Record<string, string | number>>
    const key = JSON.stringify(own)
    const series = all.get(key) ?? {
      attributes: toAttributes(own),
      boundaries: [],
      cumulative: [],
      sum: 0,
      count: 0,
    }
    all.set(key, series)
    if (metricName === `${name}_sum`) series.sum = value
    else if (metricName === `${name}_count`) series.count = value
    else if (le !== '+Inf') {
      series.boundaries.push(Number(le))
      series.cumulative.push(value)
    }
  }
  return [...all.values()].map((series) => ({
    ...times,
    attributes: series.attributes,
    value: toValue(series),
  }))
}

function toValue({ boundaries, cumulative, sum, count }: Series): Histogram {
  const upTo = [...cumulative, count]
  const counts = upTo.map((value, index) => value - (upTo[index - 1] ?? 0))
  return { buckets: { boundaries, counts }, sum, count }
}

/** Empty labels are attributes that are absent. */
const toAttributes = (labels: MetricValue<string>['labels']): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter((entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== '')
      .map(([label, value]) => [toAttributeName(label), value]),
  )

const toHrTime = (ms: number): HrTime => [Math.floor(ms / 1000), (ms % 1000) * 1_000_000]
