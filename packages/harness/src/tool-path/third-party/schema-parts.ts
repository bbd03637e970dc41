import type { Check } from './check-value.ts'

/** An object within a schema or a value. */
export type Schema = Readonly<Record<string, unknown>>

/** Where a value stands. Written out only for an error. */
export interface Place {
  readonly above: Place | undefined
  readonly key: string | number
}

/** Checks a value by one keyword. `rule` is what the schema says under it. A rule of a wrong type is no rule. */
export type Keyword = (check: Check, at: KeywordUse) => boolean

interface KeywordUse {
  readonly rule: unknown
  readonly schema: Schema
  readonly value: unknown
  readonly place: Place | undefined
}

/** A field of the object itself, never one it inherits. */
export const own = (holder: Schema, key: string): unknown =>
  Object.hasOwn(holder, key) ? holder[key] : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
