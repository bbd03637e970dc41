import type { BoundedPattern } from '../../text/pattern/match-pattern.ts'
import { createBoundedPattern } from '../../text/pattern/match-pattern.ts'
import { parsePattern, UnusablePattern } from '../../text/pattern/parse-pattern.ts'
import type { Schema } from './schema-parts.ts'
import { isRecord } from '../../turn/json.ts'

/** A schema of a third party whose size is within the limits. References reach only this one document. */
export interface PreparedSchema {
  readonly root: unknown
  /** The schema a reference of this document points to. */
  target(reference: string): unknown
  /** Compiled when it is first needed. Throws `UnusablePattern` for one that becomes too large. */
  pattern(source: string): BoundedPattern
}

const MAX_NODES = 10_000
const MAX_CHARS = 200_000
const MAX_DEPTH = 64
const MAX_PATTERN_CHARS = 20_000
/** What each pattern counts in addition to its characters. */
const PATTERN_CHARS = 40
/** How many references may follow each other before a schema stands there. */
const MAX_REFERENCE_CHAIN = 16

/** Why a schema of a third party cannot be used, as a clause about the schema; undefined when it can. Never throws. */
export function findSchemaProblem(schema: unknown): string | undefined {
  const prepared = prepareSchema(schema)
  return 'problem' in prepared ? prepared.problem : undefined
}

/** Checks the limits and collects what references may point to. Never throws, and its time has a bound. */
export function prepareSchema(schema: unknown): PreparedSchema | { readonly problem: string } {
  if (!isRecord(schema)) return { problem: 'it is not an object' }
  const survey = new Survey(schema)
  const problem = survey.walk() ?? survey.checkReferences()
  if (problem !== undefined) return { problem }
  const patterns = new Map<string, BoundedPattern>()
  return {
    root: schema,
    target: (reference) => survey.target(reference),
    pattern(source) {
      let pattern = patterns.get(source)
      if (!pattern) {
        pattern = createBoundedPattern(source)
        patterns.set(source, pattern)
      }
      return pattern
    },
  }
}

/** `schemas`: an object whose values are schemas. `data`: values that are compared, such as those of an `enum`. */
type Kind = 'schema' | 'schemas' | 'data'

const KIND_OF: ReadonlyMap<string, Kind> = new Map([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (key) => [key, 'schemas'] as const,
  ),
  ...['enum', 'const', 'default', 'examples', 'example'].map((key) => [key, 'data'] as const),
])

interface Visit {
  readonly value: object
  readonly kind: Kind
  readonly depth: number
}

/** One pass over a schema. It keeps its own stack, so that a deep schema cannot exhaust that of the process. */
class Survey {
  readonly #root: Schema
  readonly #references = new Set<string>()
  readonly #patterns = new Set<string>()
  readonly #named = new Map<string, object>()
  #nodes = 0
  #chars = 0
  #patternChars = 0

  constructor(root: Schema) {
    this.#root = root
  }

  walk(): string | undefined {
    const waiting: Visit[] = [{ value: this.#root, kind: 'schema', depth: 0 }]
    for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
      const { value, kind, depth } = visit
      if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`
      if (kind === 'schema') this.#note(value)
      // Not `Object.entries`: it would copy a list of millions before the limit is checked.
      for (const key in value) {
        if (!Object.hasOwn(value, key)) continue
        const inner = (value as Record<string, unknown>)[key]
        const problem = this.#count(key, inner)
        if (problem !== undefined) return problem
        if (typeof inner !== 'object' || inner === null) continue
        waiting.push({ value: inner, kind: kindOf(kind, key, value), depth: depth + 1 })
      }
    }
    return this.#checkPatterns()
  }

  checkReferences(): string | undefined {
    for (const reference of this.#references) {
      let next: unknown = reference
      for (let hops = 0; typeof next === 'string'; hops++) {
        const target = this.target(next)
        if (target === undefined) return 'it refers to something that is not part of it'
        if (hops >= MAX_REFERENCE_CHAIN) return 'its references form a circle or a long chain'
        next = isRecord(target) && Object.keys(target).length === 1 ? target['$ref'] : undefined
      }
    }
    return undefined
  }

  target(reference: string): unknown {
    const hash = reference.indexOf('#')
    const document = hash === -1 ? reference : reference.slice(0, hash)
    const fragment = hash === -1 ? '' : reference.slice(hash + 1)
    const base = document === '' ? this.#root : this.#named.get(document)
    if (fragment === '' || base === undefined) return base
    return fragment.startsWith('/') ? follow(base, fragment) : this.#named.get(`#${fragment}`)
  }

  #count(key: string, inner: unknown): string | undefined {
    this.#nodes++
    this.#chars += key.length + (typeof inner === 'string' ? inner.length : 4)
    if (this.#nodes > MAX_NODES) return `it has more than ${MAX_NODES} parts`
    return this.#chars > MAX_CHARS ? `it has more than ${MAX_CHARS} characters` : undefined
  }

  #note(schema: object): void {
    const { $ref, $dynamicRef, $id, $anchor, $dynamicAnchor, pattern, patternProperties } = schema as Record<
      string,
      unknown
    >
    for (const reference of [$ref, $dynamicRef])
      if (typeof reference === 'string') this.#references.add(reference)
    if (typeof $id === 'string' && !this.#named.has($id)) this.#named.set($id, schema)
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string' && !this.#named.has(`#${anchor}`)) this.#named.set(`#${anchor}`, schema)
    if (typeof pattern === 'string') this.#notePattern(pattern)
    if (!isRecord(patternProperties)) return
    for (const source in patternProperties) {
      if (this.#patternChars > MAX_PATTERN_CHARS) return
      this.#notePattern(source)
    }
  }

  #notePattern(source: string): void {
    if (this.#patterns.has(source)) return
    this.#patterns.add(source)
    this.#patternChars += source.length + PATTERN_CHARS
  }

  #checkPatterns(): string | undefined {
    if (this.#patternChars > MAX_PATTERN_CHARS)
      return `its patterns have more than ${MAX_PATTERN_CHARS} characters`
    try {
      for (const source of this.#patterns) parsePattern(source)
      return undefined
    } catch (error) {
      if (error instanceof UnusablePattern) return error.message
      throw error
    }
  }
}

function kindOf(kind: Kind, key: string, holder: object): Kind {
  if (kind === 'data') return 'data'
  if (kind === 'schemas' || Array.isArray(holder)) return 'schema'
  return KIND_OF.get(key) ?? 'schema'
}

/** What a JSON pointer points to. Only what the document itself contains, never what an object inherits. */
function follow(base: unknown, pointer: string): unknown {
  let at = base
  for (const step of pointer.split('/', MAX_DEPTH + 2).slice(1)) {
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
