import type { WorkBudget } from '../../text/pattern/work-budget.ts'
import { TooMuchWork } from '../../text/pattern/work-budget.ts'
import type { ArgumentError } from '../mend-arguments.ts'
import type { PreparedSchema } from './prepare-schema.ts'
import { ARRAY_KEYWORDS, NUMBER_KEYWORDS, TEXT_KEYWORDS } from './check-kinds.ts'
import { OBJECT_KEYWORDS } from './check-objects.ts'
import { COMMON_KEYWORDS } from './common-keywords.ts'
import type { Keyword, Place, Schema } from './schema-parts.ts'
import { isRecord } from '../../turn/json.ts'

/** For all checks of one call. About 20 ms on a slow machine. */
export const MAX_STEPS = 60_000
/** Schemas within schemas, references included. */
const MAX_DEPTH = 200
const MAX_ERRORS = 20
/** A schema costs more time than a character of a pattern. */
const STEPS_PER_SCHEMA = 4

/**
 * Checks a value by a schema of a third party. It reads the schema and generates no code; every step is counted, so no
 * schema and no value makes it slow. Throws `TooMuchWork` when the steps are used up, and `UnusablePattern`.
 *
 * Not checked: `format`, `unevaluatedProperties`, `unevaluatedItems`. Defaults are not filled in, and a required field
 * that has one may be missing. The app checks its arguments itself.
 */
export function findErrors(
  schema: PreparedSchema,
  value: unknown,
  budget: WorkBudget,
): readonly ArgumentError[] {
  const errors: ArgumentError[] = []
  new Check(schema, errors, budget).fits(schema.root, value, undefined)
  return errors
}

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  [COMMON_KEYWORDS, TEXT_KEYWORDS, NUMBER_KEYWORDS, ARRAY_KEYWORDS, OBJECT_KEYWORDS].flatMap((some) =>
    Object.entries(some),
  ),
)

/** One check of one value. What is wrong goes to its list of errors. */
export class Check {
  readonly budget: WorkBudget
  readonly schema: PreparedSchema
  /** Undefined while only the answer counts. */
  #errors: ArgumentError[] | undefined
  #depth = 0

  constructor(schema: PreparedSchema, errors: ArgumentError[], budget: WorkBudget) {
    this.budget = budget
    this.schema = schema
    this.#errors = errors
  }

  /** Whether a value fits. Goes on after an error, so that all that is wrong is said at once. */
  fits(schema: unknown, value: unknown, place: Place | undefined): boolean {
    this.budget.spend(STEPS_PER_SCHEMA)
    if (schema === false) return this.report('false schema', place, 'is not allowed')
    if (!isRecord(schema)) return true
    if (++this.#depth > MAX_DEPTH) throw new TooMuchWork('its parts refer to each other without an end')
    let fits = true
    for (const name in schema) {
      this.budget.spend(1)
      const keyword = Object.hasOwn(schema, name) ? KEYWORDS.get(name) : undefined
      if (!keyword || keyword(this, { rule: schema[name], schema, value, place })) continue
      fits = false
      if (!this.#errors) break
    }
    this.#depth--
    return fits
  }

  /** As `fits`, and what is wrong is not reported. */
  fitsSilently(schema: unknown, value: unknown, place: Place | undefined): boolean {
    const errors = this.#errors
    this.#errors = undefined
    const fits = this.fits(schema, value, place)
    this.#errors = errors
    return fits
  }

  /** How many schemas the value fits, up to `enough`. When it fits none, the errors of all are reported. */
  countFitting(
    schemas: readonly Schema[] | readonly unknown[],
    value: unknown,
    place: Place | undefined,
    enough: number,
  ): number {
    const errors = this.#errors
    const tried: ArgumentError[] = []
    let count = 0
    this.#errors = errors && tried
    for (const schema of schemas) if (this.fits(schema, value, place) && ++count >= enough) break
    this.#errors = errors
    if (count === 0) errors?.push(...tried.slice(0, MAX_ERRORS - errors.length))
    return count
  }

  /** Always false. */
  report(keyword: string, place: Place | undefined, message: string, params: object = {}): false {
    const errors = this.#errors
    if (errors && errors.length < MAX_ERRORS)
      errors.push({ keyword, instancePath: toPath(place), params, message })
    return false
  }
}

function toPath(place: Place | undefined): string {
  const keys: string[] = []
  for (let at = place; at; at = at.above)
    keys.push(String(at.key).replaceAll('~', '~0').replaceAll('/', '~1'))
  return keys
    .toReversed()
    .map((key) => `/${key}`)
    .join('')
}
