import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { cutText } from '../text/cut-text.ts'
import { WorkBudget } from '../text/pattern/work-budget.ts'
import type { JsonObject } from '../turn/json.ts'
import type { DescribedSchema, Tool } from '../turn/tool/tool.ts'
import { isStandardSchema, toJsonSchema } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import { messageOf } from '../turn/error-message.ts'
import { isThenable } from '../turn/settle-in-time.ts'
import type { ArgumentError } from './mend-arguments.ts'
import { mendArguments } from './mend-arguments.ts'
import { findErrors, MAX_STEPS } from './third-party/check-value.ts'
import type { PreparedSchema } from './third-party/prepare-schema.ts'
import { prepareSchema } from './third-party/prepare-schema.ts'

/** The checked arguments, or a refusal. */
export type CheckedArguments = { readonly value: unknown } | { readonly refusal: ToolOutcome }

/**
 * Checks the arguments against the tool's schema. Certain repairs are made (a number written as text, a missing default);
 * otherwise the refusal names the problem and the expected shape. A schema of a third party is read by a validator whose
 * time has a bound, and its defaults are not filled in.
 */
export function checkArguments(given: Tool, args: JsonObject): CheckedArguments | Promise<CheckedArguments> {
  const tool = given.accepts ? { ...given, input: given.accepts } : given
  if (isStandardSchema(tool.input)) return checkStandard(tool, tool.input, args)
  if (tool.isThirdParty === true) return checkThirdParty(tool, tool.input, args)
  const validator = validatorOf(tool, tool.input)
  if ('refusal' in validator) return validator
  const { check } = validator
  const value = cloneJson(args)
  if (check(value)) return { value }
  const errors = check.errors ?? []
  if (mendArguments(value, errors) && check(value)) return { value }
  return refuse(tool, errors.map(toProblem))
}

const prepared = new WeakMap<object, PreparedSchema | { readonly problem: string }>()

function checkThirdParty(tool: Tool, schema: object, args: JsonObject): CheckedArguments {
  let known = prepared.get(schema)
  if (!known) {
    known = prepareSchema(schema)
    prepared.set(schema, known)
  }
  if ('problem' in known) {
    const text = `The schema of "${tool.name}" cannot be used, so it cannot be called: ${known.problem}`
    return { refusal: fail(text, { errorCode: 'broken_schema' }) }
  }
  try {
    const budget = new WorkBudget(MAX_STEPS)
    const errors = findErrors(known, args, budget)
    if (errors.length === 0) return { value: args }
    const value = cloneJson(args)
    if (mendArguments(value, errors) && findErrors(known, value, budget).length === 0) return { value }
    return refuse(tool, errors.map(toProblem))
  } catch (error) {
    return unchecked(tool, error)
  }
}

// The validator repairs in place, and the sent arguments must not change. For plain JSON this is ten times faster than
// structuredClone.
function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    // An assignment would run a setter such as `__proto__`.
    if (key === '__proto__') Object.defineProperty(copy, key, { ...OWN, value: cloneJson(inner) })
    else copy[key] = cloneJson(inner)
  }
  return copy
}

const OWN = { enumerable: true, writable: true, configurable: true }

type Checked = StandardSchemaV1.Result<unknown>

// A promise only when the schema answers with one: most answer at once.
function checkStandard(
  tool: Tool,
  schema: DescribedSchema,
  args: JsonObject,
): CheckedArguments | Promise<CheckedArguments> {
  try {
    const checked = schema['~standard'].validate(args)
    if (isThenable(checked)) return checkSlowly(tool, schema, args, checked)
    if (!checked.issues) return { value: checked.value }
    const mended = mendFor(tool, args)
    if (mended === undefined) return refuse(tool, checked.issues.map(toIssue))
    const again = schema['~standard'].validate(mended)
    if (isThenable(again)) return checkSlowly(tool, schema, args, checked, again)
    return again.issues ? refuse(tool, checked.issues.map(toIssue)) : { value: again.value }
  } catch (error) {
    return unchecked(tool, error)
  }
}

async function checkSlowly(
  tool: Tool,
  schema: DescribedSchema,
  args: JsonObject,
  first: Checked | Promise<Checked>,
  second?: Promise<Checked>,
): Promise<CheckedArguments> {
  try {
    const checked = await first
    if (!checked.issues) return { value: checked.value }
    const mended = second ? undefined : mendFor(tool, args)
    const again = await (mended === undefined ? (second ?? checked) : schema['~standard'].validate(mended))
    if (!again.issues) return { value: again.value }
    return refuse(tool, checked.issues.map(toIssue))
  } catch (error) {
    return unchecked(tool, error)
  }
}

// A Standard Schema is code of its own, and code may throw. One of a third party may need too much work.
const unchecked = (tool: Tool, error: unknown): CheckedArguments => ({
  refusal: broken(`The arguments of "${tool.name}" could not be checked, so nothing was run`, error),
})

/** A repaired copy of the arguments, or undefined when there is nothing to repair. */
function mendFor(tool: Tool, args: JsonObject): unknown {
  const validator = validatorOf(tool, toJsonSchema(tool.input))
  if ('refusal' in validator) return undefined
  const value = cloneJson(args)
  return !validator.check(value) && mendArguments(value, validator.check.errors ?? []) ? value : undefined
}

function toIssue({ path = [], message }: StandardSchemaV1.Issue): string {
  const field = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
  return field ? `${field}: ${message}` : message
}

/** The shape of the arguments that a tool expects, for the model. */
export const expectedShape = ({ input, accepts }: Pick<Tool, 'input' | 'accepts'>): string =>
  `Expected: ${JSON.stringify(toJsonSchema(accepts ?? input)).slice(0, 2_000)}`

function refuse(tool: Tool, problems: readonly string[]): { refusal: ToolOutcome } {
  return {
    refusal: fail(
      `The arguments of "${tool.name}" do not fit: ${problems.slice(0, 5).join('; ')}. Nothing was run. ` +
        expectedShape(tool),
      { errorCode: 'invalid_arguments' },
    ),
  }
}

/** A model can write a field name of any length. */
const MAX_PATH_CHARS = 200

function toProblem({ instancePath, message, params }: ArgumentError): string {
  const field = cutText(instancePath, MAX_PATH_CHARS).slice(1).replaceAll('/', '.')
  const extra = 'additionalProperty' in params ? ` (${String(params['additionalProperty'])})` : ''
  return `${field ? `${field} ` : ''}${message ?? 'is not accepted'}${extra}`
}

let ajv: Ajv2020 | undefined
const validators = new WeakMap<object, { check: ValidateFunction } | { refusal: ToolOutcome }>()

// Compiled on the first call of a tool and kept: compiling costs a thousand checks.
function validatorOf(tool: Tool, schema: object): { check: ValidateFunction } | { refusal: ToolOutcome } {
  let validator = validators.get(schema)
  if (!validator) {
    ajv ??= new Ajv2020({
      strict: false,
      strictNumbers: true,
      useDefaults: true,
      allErrors: true,
      logger: false,
    })
    const own = { ...schema, $schema: undefined, $id: undefined }
    try {
      validator = { check: ajv.compile(own) }
    } catch (error) {
      validator = { refusal: broken(`The schema of "${tool.name}" is broken, so it cannot be called`, error) }
    }
    ajv.removeSchema(own) // it would keep every schema for ever; the map keeps it as long as the tool
    validators.set(schema, validator)
  }
  return validator
}

function broken(what: string, error: unknown): ToolOutcome {
  const reason = messageOf(error) ?? 'for a reason it did not give'
  return fail(`${what}: ${reason}`, { errorCode: 'broken_schema' })
}
