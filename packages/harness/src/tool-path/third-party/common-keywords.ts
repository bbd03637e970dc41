import { isSame } from './compare-values.ts'
import type { Keyword } from './schema-parts.ts'
import { isRecord } from '../../turn/json.ts'
import { listOf, own } from './schema-parts.ts'

const MAX_TYPES = 7

const checkReference: Keyword = (check, { rule, value, place }) =>
  typeof rule !== 'string' || check.fits(check.schema.target(rule), value, place)

/** Keywords for values of any type. */
export const COMMON_KEYWORDS: Readonly<Record<string, Keyword>> = {
  $ref: checkReference,
  $dynamicRef: checkReference,
  type(check, { rule, value, place }) {
    const types = Array.isArray(rule) ? rule.slice(0, MAX_TYPES) : [rule]
    if (types.some((type) => isType(value, type))) return true
    return check.report('type', place, `must be ${types.map(toName).join(' or ')}`, { type: types })
  },
  enum(check, { rule, value, place }) {
    if (!Array.isArray(rule) || rule.some((one) => isSame(one, value, check.budget))) return true
    return check.report('enum', place, `must be one of ${listSome(rule)}`)
  },
  const(check, { rule, value, place }) {
    if (isSame(rule, value, check.budget)) return true
    return check.report('const', place, `must be ${listSome([rule])}`)
  },
  allOf(check, { rule, value, place }) {
    let fits = true
    for (const one of listOf(rule)) if (!check.fits(one, value, place)) fits = false
    return fits
  },
  anyOf(check, { rule, value, place }) {
    const schemas = listOf(rule)
    return schemas.length === 0 || check.countFitting(schemas, value, place, 1) > 0
  },
  oneOf(check, { rule, value, place }) {
    const schemas = listOf(rule)
    if (schemas.length === 0) return true
    const count = check.countFitting(schemas, value, place, 2)
    if (count > 1) check.report('oneOf', place, 'must fit exactly one of the forms, and fits several')
    return count === 1
  },
  not(check, { rule, value, place }) {
    if (!check.fitsSilently(rule, value, place)) return true
    return check.report('not', place, 'has a form that is not allowed')
  },
  if(check, { rule, schema, value, place }) {
    const branch = check.fitsSilently(rule, value, place) ? 'then' : 'else'
    return check.fits(own(schema, branch), value, place)
  },
}

function isType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return (type === 'string' || type === 'boolean') && typeof value === type
  }
}

const toName = (type: unknown): string =>
  typeof type === 'string' ? type.slice(0, 40) : 'of an unknown type'

function listSome(values: readonly unknown[]): string {
  const shown = values
    .slice(0, 10)
    .map((value) => (typeof value === 'object' && value !== null ? '…' : JSON.stringify(value).slice(0, 60)))
  return `${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`
}
