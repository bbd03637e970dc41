import { hash } from 'node:crypto'
import {
  canonicalJson,
  findSchemaProblem,
  isRecord,
  sanitizeLine,
  sanitizeText,
} from '@capstan/harness/connectors'
import type { Effect, JsonSchema } from '@capstan/harness'
import type { Action } from '@capstan/harness/connectors'
import type { JudgedEffect } from './effects/judge-action.ts'

const MAX_DESCRIPTION_CHARS = 4_000
const MAX_WORDS_IN_SCHEMA_CHARS = 1_000
const MAX_SCHEMA_CHARS = 200_000
const MAX_DEPTH = 40

/** Whether it can name an action: the characters that every provider allows. Pure. */
export const isActionName = (name: unknown): name is string =>
  typeof name === 'string' && /^[\w.:/-]{1,128}$/.test(name)

/** An action as a service describes it, sanitized and cut, with the digest of exactly what will be shown. Pure. */
export function toAction(claimed: {
  readonly name: string
  readonly description: unknown
  readonly input: unknown
  readonly effect: Effect | ((input: JsonSchema) => JudgedEffect)
}): Action {
  const { name } = claimed
  const description = sanitizeText(claimed.description, MAX_DESCRIPTION_CHARS)
  const input = toInput(claimed.input)
  const judged = typeof claimed.effect === 'function' ? claimed.effect(input) : { effect: claimed.effect }
  return {
    name,
    description,
    input,
    ...judged,
    digest: hash('sha256', canonicalJson([name, description, input])),
  }
}

/** A schema that is invalid, unreasonably large or unusable becomes one that allows any object: the service checks too. */
function toInput(schema: unknown): JsonSchema {
  // First, because it stops at its limits.
  if (findSchemaProblem(schema) !== undefined) return ANY_OBJECT
  try {
    const cleaned = cleanSchema(schema, 0)
    if (!isRecord(cleaned) || canonicalJson(cleaned).length > MAX_SCHEMA_CHARS) return ANY_OBJECT
    return { ...cleaned, type: 'object' }
  } catch {
    return ANY_OBJECT
  }
}

/** It says that the arguments are not known. */
const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true }

// Only descriptions are changed: a name, a pattern or an allowed value must stay exact.
function cleanSchema(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('the schema is nested too deeply')
  if (Array.isArray(value)) return value.map((inner) => cleanSchema(inner, depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (typeof inner !== 'string') return [key, cleanSchema(inner, depth + 1)]
      const isWords = key === 'description' || key === 'title' || key === '$comment'
      return [key, isWords ? sanitizeLine(inner, MAX_WORDS_IN_SCHEMA_CHARS) : inner]
    }),
  )
}
