import type { AppName, CallId, Usage, WaitsFor } from '@capstan/protocol'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonObject } from './json.ts'
import type { RunContext } from './run-context.ts'

/** How far a call reaches. Unknown is `write`. Ordered: each includes the ones before it. */
export type Effect = 'read' | 'write' | 'admin'

const REACH: Record<Effect, number> = { read: 0, write: 1, admin: 2 }

export function reachesBeyond(effect: Effect, ceiling: Effect): boolean {
  return REACH[effect] > REACH[ceiling]
}

/** The lower of two ceilings. */
export function lowerEffect(a: Effect, b: Effect): Effect {
  return reachesBeyond(a, b) ? b : a
}

export function higherEffect(a: Effect, b: Effect): Effect {
  return reachesBeyond(a, b) ? a : b
}

export type JsonSchema = JsonObject

/** A schema that can check a value and describe itself: zod 4, ArkType, and others. */
export type DescribedSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>

/** Something the model may ask for. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema, or any Standard Schema that can describe itself as JSON Schema. */
  readonly input: JsonSchema | DescribedSchema
  readonly effect: Effect | ((args: JsonObject) => Effect)
  /** `false`: no deadline of its own, only the turn's. Absent: the default of the run. */
  readonly timeoutMs?: number | false
  /** Never beside another call, although it only reads. */
  readonly alone?: boolean
  /** Calling it again with the same arguments is how it is meant to be used. */
  readonly polls?: boolean
  /**
   * It passes `idempotencyKey` on to a service that does the same thing once for one key. After a crash such a call is
   * run again; any other that may have changed something is not.
   */
  readonly honoursKey?: boolean
  /** A successful call ends the turn with `needs-input`: its text is the question. */
  readonly endsTurn?: boolean
  /** The most characters of its output that the model gets. */
  readonly maxOutputChars?: number
  /** Its output is read by a program or chosen in size already: it is never compacted. */
  readonly exact?: boolean
  /** It runs commands: the command line behind these arguments, for compacting what it printed. */
  readonly command?: (args: JsonObject) => string | undefined
  /** `host`: for the program around the harness alone; a model that asks for it is refused. */
  readonly scope?: 'model' | 'host'
  /** The app it acts in; absent for what happens here. */
  readonly app?: AppName | ((args: JsonObject) => AppName | undefined)
  /** For the timeline. Must be cheap. */
  readonly label?: (args: JsonObject) => { readonly label: string; readonly detail?: string }
  readonly run: (args: never, context: ToolContext) => unknown
}

/** What a tool may know of the call it serves. */
export interface ToolContext {
  readonly callId: CallId
  /** The same for a repeated attempt at the same call: pass it to services that honour one. */
  readonly idempotencyKey: string
  /** Aborted when the turn is stopped or the deadline has passed. */
  readonly signal: AbortSignal
  readonly run: RunContext
  /** After a crash or a wait this call is run again from its start: its tool only reads, or honours keys. */
  readonly isRepeatable?: boolean
  /** The call has its result: nothing more can be started for it. */
  readonly isOver?: boolean
  /** The tool asked a model something: what that cost is the turn's. */
  spend?(usage: Usage, model: string): void | Promise<void>
  /**
   * Lets go of the whole turn until this has come, and runs the call again then. Never returns. Absent where nothing
   * outlives the process: then wait, within bounds.
   */
  park?(waitsFor: WaitsFor): Promise<never>
}

/** The app a call acts in, as far as its tool says. Never throws: it is only a name. */
export function appOf(tool: Tool | undefined, args: JsonObject): AppName | undefined {
  if (typeof tool?.app !== 'function') return tool?.app
  try {
    return tool.app(args)
  } catch {
    return undefined
  }
}

type InputOf<Schema> = Schema extends StandardSchemaV1<infer _Input, infer Output> ? Output : JsonObject

/** Writes a tool. The type of `args` follows from the schema. */
export function defineTool<const Schema extends JsonSchema | DescribedSchema>(
  tool: Omit<Tool, 'input' | 'run' | 'effect'> & {
    readonly input: Schema
    readonly effect?: Effect | ((args: JsonObject) => Effect)
    readonly run: (args: InputOf<Schema>, context: ToolContext) => unknown
  },
): Tool {
  return { effect: 'write', ...tool }
}

export function isStandardSchema(schema: Tool['input']): schema is DescribedSchema {
  return '~standard' in schema
}

const described = new WeakMap<object, JsonSchema>()

/** The schema as a provider wants it. Converted once per schema. */
export function toJsonSchema(input: Tool['input']): JsonSchema {
  if (!isStandardSchema(input)) return input
  let schema = described.get(input)
  if (!schema) {
    const describe = input['~standard'].jsonSchema as { input?: unknown } | undefined
    if (typeof describe?.input !== 'function') {
      throw new TypeError(
        `The schema of vendor "${input['~standard'].vendor}" cannot describe itself as JSON Schema; ` +
          'pass plain JSON Schema, or a library that implements Standard JSON Schema (zod 4.2 does).',
      )
    }
    const { $schema: _, ...rest } = input['~standard'].jsonSchema.input({
      target: 'draft-2020-12',
    }) as Record<string, never>
    schema = rest
    described.set(input, schema)
  }
  return schema
}

/** The effect of a call with these arguments. A tool that cannot tell is taken to write. */
export function effectOf(tool: Tool, args: JsonObject): Effect {
  try {
    const effect = typeof tool.effect === 'function' ? tool.effect(args) : tool.effect
    return Object.hasOwn(REACH, effect) ? effect : 'write'
  } catch {
    return 'write'
  }
}

/** Whether a call may be run again when nobody knows how it ended. */
export const isRepeatable = (tool: Tool, args: JsonObject): boolean =>
  tool.honoursKey === true || effectOf(tool, args) === 'read'
