import { ATTRIBUTE, METRIC } from '@capstan/harness/telemetry'

// One metric has two names: `gen_ai.client.operation.duration` over OTLP is `gen_ai_client_operation_duration_seconds`
// at `/metrics`, as a collector would write it there.

const SUFFIX_OF_UNIT: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

/** A metric of the conventions as Prometheus writes it. */
export const toMetricName = (name: string, unit: string): string =>
  `${toLabelName(name)}${SUFFIX_OF_UNIT[unit] ?? ''}`

/** An attribute as a label of Prometheus. */
export const toLabelName = (attribute: string): string => attribute.replaceAll('.', '_')

/** The names of the conventions by how they begin at `/metrics`, where dots are lost. */
const CONVENTIONAL = new Map(
  [...Object.values(METRIC).map(({ name }) => name), ...Object.values(ATTRIBUTE)].map((name) => [
    toLabelName(name),
    name,
  ]),
)

/** The name and the unit over OTLP. */
export function toOtlpName(metric: string): { readonly name: string; readonly unit: string } {
  const plain = metric.replace(/_total$/, '')
  const [unit, suffix] = Object.entries(SUFFIX_OF_UNIT).find(([, end]) => plain.endsWith(end)) ?? ['', '']
  const name = plain.slice(0, plain.length - suffix.length)
  return { name: CONVENTIONAL.get(name) ?? name.replace(/^capstan_/, 'capstan.'), unit }
}

/** The attribute of a label. */
export const toAttributeName = (label: string): string => CONVENTIONAL.get(label) ?? label
