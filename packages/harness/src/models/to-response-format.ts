import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ProviderExtras } from '../turn/message/message.ts'
import type { JsonSchema } from '../turn/tool/tool.ts'

interface ResponseForm {
  readonly format: NonNullable<LanguageModelV4CallOptions['responseFormat']>
  /** Turns strict mode off for a schema that a strict provider would refuse, such as one with optional fields. */
  readonly providerOptions?: ProviderExtras
}

const converted = new WeakMap<JsonSchema, ResponseForm>()

/** A schema in the provider's form, converted once. Objects are closed, as strict providers require. */
export function toResponseFormat(schema: JsonSchema): ResponseForm {
  let form = converted.get(schema)
  if (!form) {
    const closed = closeObjects(schema)
    form = {
      format: { type: 'json', schema: closed, name: 'result' },
      ...(isStrict(closed) ? undefined : { providerOptions: { openai: { strictJsonSchema: false } } }),
    }
    converted.set(schema, form)
  }
  return form
}

function closeObjects<Schema>(schema: Schema): Schema
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part: unknown) => closeObjects(part))
  if (typeof schema !== 'object' || schema === null) return schema
  const closed: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(schema)) closed[key] = LITERAL.has(key) ? part : closeObjects(part)
  if ('properties' in schema && !('additionalProperties' in schema)) closed['additionalProperties'] = false
  return closed
}

/** These keywords hold a value, not a schema. */
const LITERAL: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** Whether every object lists all its fields as required. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (typeof schema !== 'object' || schema === null) return true
  const { properties, required, additionalProperties } = schema as Record<string, unknown>
  if (typeof properties === 'object' && properties !== null) {
    if (additionalProperties !== false || !Array.isArray(required)) return false
    if (Object.keys(properties).some((name) => !required.includes(name))) return false
  } else if ((schema as { type?: unknown }).type === 'object') return false
  return Object.entries(schema).every(([key, part]) => LITERAL.has(key) || isStrict(part))
}
