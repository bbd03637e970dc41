import type { JsonSchema } from '@capstan/harness'
import { isRecord } from '@capstan/harness/connectors'
import {
  ACTING_ARGUMENTS,
  ACTING_SWITCHES,
  ACTING_VERBS,
  ADMIN_VERBS,
  SENDING_WORDS,
  STATEMENT_WORDS,
} from './effect-words.ts'
import { toNameWords } from './name-words.ts'

type Fields = Readonly<Record<string, unknown>>

/** Deeper levels than this are not read: such a schema counts as one that acts. */
const MAX_DEPTH = 24
/** A schema with more arguments than this counts as one that acts. */
const MAX_ARGUMENTS = 500

/**
 * Whether a schema has an argument that carries something away or chooses an act: a message, a recipient, a command, a
 * statement, a method. Such an action does not only read, whatever its name says. Pure; never throws.
 */
export function schemaActs(schema: JsonSchema, nameWords: readonly string[]): boolean {
  const takesStatements = nameWords.some((word) => STATEMENT_WORDS.has(word))
  let count = 0
  return walk(schema, 0)

  function walk(value: unknown, depth: number): boolean {
    if (typeof value !== 'object' || value === null) return false
    if (depth > MAX_DEPTH) return true
    if (Array.isArray(value)) return value.some((inner) => walk(inner, depth + 1))
    const fields = value as Fields
    // Arguments that the schema does not name could be anything.
    if (isOpen(fields['additionalProperties']) || fields['patternProperties'] !== undefined) return true
    const named = fields['properties']
    if (isRecord(named)) {
      const names = Object.keys(named)
      count += names.length
      if (count > MAX_ARGUMENTS) return true
      if (names.some((name) => argumentActs(name, named[name], names))) return true
      if (takesStatements && names.some((name) => /^(query|q|statement|filter|pipeline)$/i.test(name)))
        return true
    }
    return Object.values(fields).some((inner) => walk(inner, depth + 1))
  }
}

const isOpen = (value: unknown): boolean => value === true || isRecord(value)

/** An object whose fields the schema does not name. */
const isFreeObject = ({
  type,
  properties,
  $ref: ref,
  allOf,
  anyOf,
  oneOf,
  additionalProperties,
}: Fields): boolean =>
  type === 'object' &&
  additionalProperties !== false &&
  [properties, ref, allOf, anyOf, oneOf].every((part) => part === undefined)

function argumentActs(name: string, schema: unknown, all: readonly string[]): boolean {
  const words = toNameWords(name)
  const plain = words.join('')
  const fields = isRecord(schema) ? schema : {}
  if (ACTING_SWITCHES.has(plain) || isFreeObject(fields)) return true
  // `markAsRead`, `delete_after`, `send_copy`, `createIfMissing`
  const [first = ''] = words
  if (ACTING_VERBS.has(first) || ADMIN_VERBS.has(first) || first === 'mark') return true
  // Only a yes or no: whether the result shall include it.
  if (fields['type'] === 'boolean') return false
  if (words.some((word) => SENDING_WORDS.has(word))) return true
  if (plain === 'to') return !all.some((other) => /^(from|since|start|after)/i.test(other))
  if (plain === 'method') return !isReadMethod(fields)
  if (plain === 'query' || plain === 'q') return saysStatement(fields['description'])
  return ACTING_ARGUMENTS.has(plain)
}

function isReadMethod({ enum: choices, const: only }: Fields): boolean {
  const all: readonly unknown[] = Array.isArray(choices) ? choices : only === undefined ? [] : [only]
  return all.length > 0 && all.every((one) => /^(get|head)$/i.test(String(one)))
}

const saysStatement = (description: unknown): boolean =>
  typeof description === 'string' &&
  toNameWords(description.slice(0, 500)).some((word) => STATEMENTS.has(word))

const STATEMENTS: ReadonlySet<string> = new Set(['sql', 'graphql', 'cypher', 'mutation', 'statement'])
