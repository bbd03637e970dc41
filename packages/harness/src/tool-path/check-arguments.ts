import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject } from '../turn/json.ts'
import type { Tool } from '../turn/tool.ts'
import { isStandardSchema, toJsonSchema } from '../turn/tool.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail } from '../turn/tool-outcome.ts'

type Checked = { readonly value: unknown } | { readonly refusal: ToolOutcome }

/**
 * Holds the arguments against the tool's schema. What is certain is mended (a number written as text, a missing
 * default); everything else comes back as a refusal that states the problem and the expected shape.
 */
export async function checkArguments(tool: Tool, args: JsonObject): Promise<Checked> {
  const { input } = tool
  if (isStandardSchema(input)) return checkStandard(tool, args)
  const validate = validatorOf(tool, input)
  if ('refusal' in validate) return validate
  const value = cloneJson(args)
  if (validate.check(value)) return { value }
  return refuse(tool, (validate.check.errors ?? []).map(toProblem))
}

// The validator mends in place, and what the model sent must stay as it was. Arguments are plain JSON, for which
// this is ten times faster than structuredClone.
function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    // Assigning would run the setter of a key that is named like one.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: cloneJson(inner), enumerable: true })
    else copy[key] = cloneJson(inner)
  }
  return copy
}

async function checkStandard(tool: Tool, args: JsonObject): Promise<Checked> {
  if (!isStandardSchema(tool.input)) throw new TypeError('not a Standard Schema')
  const checked = await tool.input['~standard'].validate(args)
  if (!checked.issues) return { value: checked.value }
  return refuse(
    tool,
    checked.issues.map(({ path = [], message }) => {
      const field = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
      return field ? `${field}: ${message}` : message
    }),
  )
}

function refuse(tool: Tool, problems: readonly string[]): { refusal: ToolOutcome } {
  const shape = JSON.stringify(toJsonSchema(tool.input))
  return {
    refusal: fail(
      `The arguments of "${tool.name}" do not fit: ${problems.slice(0, 5).join('; ')}. Nothing was run. ` +
        `Expected: ${shape.slice(0, 2_000)}`,
      { errorCode: 'invalid_arguments' },
    ),
  }
}

function toProblem({ instancePath, message, params }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll('/', '.')
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
      coerceTypes: true,
      useDefaults: true,
      allErrors: true,
      logger: false,
    })
    try {
      validator = { check: ajv.compile({ ...schema, $schema: undefined, $id: undefined }) }
    } catch (error) {
      validator = {
        refusal: fail(`The schema of "${tool.name}" is broken, so it cannot be called: ${String(error)}`, {
          errorCode: 'broken_schema',
        }),
      }
    }
    validators.set(schema, validator)
  }
  return validator
}
