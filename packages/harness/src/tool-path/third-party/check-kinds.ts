import type { Check } from './check-value.ts'
import { toKey } from './compare-values.ts'
import type { Keyword } from './schema-parts.ts'
import { listOf, own } from './schema-parts.ts'

/** A keyword that compares a number with that of the rule. */
const limit = (
  name: string,
  measure: (value: unknown, check: Check) => number | undefined,
  isWithin: (count: number, rule: number) => boolean,
  says: (rule: number) => string,
): Keyword => {
  return (check, { rule, value, place }) => {
    if (typeof rule !== 'number') return true
    const count = measure(value, check)
    return count === undefined || isWithin(count, rule) || check.report(name, place, says(rule))
  }
}

/** The two keywords that limit a count. */
export const limits = (
  noun: string,
  unit: string,
  measure: (value: unknown, check: Check) => number | undefined,
): Readonly<Record<string, Keyword>> => ({
  [`min${noun}`]: limit(
    `min${noun}`,
    measure,
    (count, rule) => count >= rule,
    (rule) => `must have at least ${rule} ${unit}`,
  ),
  [`max${noun}`]: limit(
    `max${noun}`,
    measure,
    (count, rule) => count <= rule,
    (rule) => `must have at most ${rule} ${unit}`,
  ),
})

export const TEXT_KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...limits('Length', 'characters', (value, check) =>
    typeof value === 'string' ? countCharacters(value, check) : undefined,
  ),
  pattern(check, { rule, value, place }) {
    if (typeof rule !== 'string' || typeof value !== 'string') return true
    if (check.schema.pattern(rule).matches(value, check.budget)) return true
    return check.report('pattern', place, `must match the pattern ${rule.slice(0, 200)}`)
  },
}

/** A pair of surrogates is one character. */
function countCharacters(text: string, check: Check): number {
  check.budget.spend(text.length / 16)
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc_00) === 0xd8_00 && (text.charCodeAt(at + 1) & 0xfc_00) === 0xdc_00) {
      count--
      at++
    }
  }
  return count
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const compare = (
  name: string,
  sign: string,
  isWithin: (value: number, rule: number) => boolean,
): Record<string, Keyword> => ({
  [name]: limit(name, numberOf, isWithin, (rule) => `must be ${sign} ${rule}`),
})

export const NUMBER_KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...compare('minimum', '>=', (value, rule) => value >= rule),
  ...compare('maximum', '<=', (value, rule) => value <= rule),
  ...compare('exclusiveMinimum', '>', (value, rule) => value > rule),
  ...compare('exclusiveMaximum', '<', (value, rule) => value < rule),
  ...compare('multipleOf', 'a multiple of', isMultiple),
}

/** 0.3 is a multiple of 0.1, although the division of doubles says otherwise. */
function isMultiple(value: number, step: number): boolean {
  if (step <= 0) return true
  const times = value / step
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}

export const ARRAY_KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...limits('Items', 'items', (value) => (Array.isArray(value) ? value.length : undefined)),
  prefixItems: (check, { rule, value, place }) => {
    let fits = true
    for (const [index, schema] of listOf(rule).slice(0, listOf(value).length).entries())
      if (!check.fits(schema, listOf(value)[index], { above: place, key: index })) fits = false
    return fits
  },
  // Older drafts list the schemas of the first items here, and that of the rest in `additionalItems`.
  items(check, { rule, schema, value, place }) {
    if (!Array.isArray(value)) return true
    const first = Array.isArray(rule) ? rule : []
    const rest = Array.isArray(rule) ? own(schema, 'additionalItems') : rule
    const begin = Array.isArray(rule) ? 0 : listOf(own(schema, 'prefixItems')).length
    let fits = true
    for (let index = begin; index < value.length; index++) {
      const one: unknown = index < first.length ? first[index] : rest
      if (!check.fits(one, value[index], { above: place, key: index })) fits = false
    }
    return fits
  },
  uniqueItems(check, { rule, value, place }) {
    if (rule !== true || !Array.isArray(value)) return true
    const seen = new Set<string>()
    for (const item of value) seen.add(toKey(item, check.budget))
    return seen.size === value.length || check.report('uniqueItems', place, 'must not contain an item twice')
  },
  contains(check, { rule, schema, value, place }) {
    if (!Array.isArray(value)) return true
    let count = 0
    for (const item of value) if (check.fitsSilently(rule, item, place)) count++
    const min = numberOf(own(schema, 'minContains')) ?? 1
    const max = numberOf(own(schema, 'maxContains')) ?? Infinity
    if (count >= min && count <= max) return true
    return check.report('contains', place, 'does not contain the items it must contain')
  },
}
