import type { Check } from './check-value.ts'
import { limits } from './check-kinds.ts'
import type { Keyword, Place, Schema } from './schema-parts.ts'
import { isRecord } from '../../turn/json.ts'
import { listOf, own } from './schema-parts.ts'

const MAX_SHOWN_CHARS = 100

/** The keys of an object, paid for. */
function keysOf(value: Schema, check: Check): readonly string[] {
  const keys = Object.keys(value)
  check.budget.spend(keys.length)
  return keys
}

const checkDependent: Keyword = (check, { rule, value, place }) => {
  if (!isRecord(rule) || !isRecord(value)) return true
  let fits = true
  for (const key of keysOf(rule, check)) {
    if (!Object.hasOwn(value, key)) continue
    const needed = rule[key]
    if (!check.fits(Array.isArray(needed) ? { required: needed } : needed, value, place)) fits = false
  }
  return fits
}

export const OBJECT_KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...limits('Properties', 'fields', (value, check) =>
    isRecord(value) ? keysOf(value, check).length : undefined,
  ),
  dependentRequired: checkDependent,
  dependentSchemas: checkDependent,
  dependencies: checkDependent,
  required(check, { rule, schema, value, place }) {
    if (!isRecord(value)) return true
    const required = listOf(rule)
    check.budget.spend(required.length)
    let fits = true
    for (const key of required) {
      if (typeof key !== 'string' || Object.hasOwn(value, key) || hasDefault(schema, key)) continue
      fits = check.report('required', place, `must have the field "${key.slice(0, MAX_SHOWN_CHARS)}"`)
    }
    return fits
  },
  properties(check, { rule, value, place }) {
    if (!isRecord(rule) || !isRecord(value)) return true
    let fits = true
    for (const key of keysOf(value, check)) {
      if (Object.hasOwn(rule, key) && !check.fits(rule[key], value[key], { above: place, key })) fits = false
    }
    return fits
  },
  patternProperties(check, { rule, value, place }) {
    if (!isRecord(rule) || !isRecord(value)) return true
    let fits = true
    for (const key of keysOf(value, check)) {
      for (const pattern of matchingPatterns(check, rule, key))
        if (!check.fits(rule[pattern], value[key], { above: place, key })) fits = false
    }
    return fits
  },
  additionalProperties(check, { rule, schema, value, place }) {
    if (!isRecord(value)) return true
    const properties = own(schema, 'properties')
    const patterns = own(schema, 'patternProperties')
    let fits = true
    for (const key of keysOf(value, check)) {
      if (isRecord(properties) && Object.hasOwn(properties, key)) continue
      if (isRecord(patterns) && matchingPatterns(check, patterns, key).length > 0) continue
      if (!checkAdditional(check, rule, value[key], { above: place, key })) fits = false
    }
    return fits
  },
  propertyNames(check, { rule, value, place }) {
    if (!isRecord(value)) return true
    const unfit = keysOf(value, check).find((key) => !check.fitsSilently(rule, key, place))
    return unfit === undefined || check.report('propertyNames', place, refuseField(unfit))
  },
}

const refuseField = (key: string): string => `must not have the field "${key.slice(0, MAX_SHOWN_CHARS)}"`

function checkAdditional(check: Check, rule: unknown, value: unknown, place: Place): boolean {
  if (rule !== false) return check.fits(rule, value, place)
  return check.report('additionalProperties', place.above, refuseField(String(place.key)))
}

function matchingPatterns(check: Check, patterns: Schema, key: string): readonly string[] {
  return keysOf(patterns, check).filter((source) => check.schema.pattern(source).matches(key, check.budget))
}

/** The app fills its own defaults in. */
function hasDefault(schema: Schema, key: string): boolean {
  const properties = own(schema, 'properties')
  const property = isRecord(properties) ? own(properties, key) : undefined
  return isRecord(property) && Object.hasOwn(property, 'default')
}
