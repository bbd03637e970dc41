import { isRecord } from '@capstan/harness/connectors'

const MOST_DEPTH = 6
const MOST_NAMES = 60

/** A value that fits a schema, to see its shape. Undefined where the schema does not say. Pure. */
export function sampleOf(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > MOST_DEPTH) return undefined
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return sampleOf(choices.find(isNoNull), depth + 1)
  const { type: given, properties, items } = schema
  const type: unknown = Array.isArray(given) ? given.find((one) => one !== 'null') : given
  if (type === 'array') return [sampleOf(items, depth + 1)]
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 1
  if (!isRecord(properties)) return undefined
  const fields = Object.entries(properties).slice(0, MOST_NAMES)
  return Object.fromEntries(fields.map(([name, inner]) => [name, sampleOf(inner, depth + 1)]))
}

const isNoNull = (schema: unknown): boolean => isRecord(schema) && schema['type'] !== 'null'
