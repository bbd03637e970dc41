import type { AppName, CallId, Usage, WaitsFor } from '@capstan/protocol'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { UntrustedSource } from '../../text/untrusted-frame.ts'
import type { JsonObject } from '../json.ts'
import type { RunContext } from '../run-context.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** What a call may change. Unknown counts as `write`. Ordered: each includes the ones before it. */
export type Effect = 'read' | 'write' | 'admin'

const REACH: Record<Effect, number> = { read: 0, write: 1, admin: 2 }

/** Whether an effect is above a ceiling. */
export function reachesBeyond(effect: Effect, ceiling: Effect): boolean {
  return REACH[effect] > REACH[ceiling]
}

/** The lower of two ceilings. */
export function lowerEffect(a: Effect, b: Effect): Effect {
  return reachesBeyond(a, b) ? b : a
}

/** The higher of two effects. */
export function higherEffect(a: Effect, b: Effect): Effect {
  return reachesBeyond(a, b) ? a : b
}

/**
 * What a result carries. `private`: data of the user, such as mail, files or a calendar. `untrusted`: text that third
 * parties can write. Both may hold.
 */
export type DataLabel = 'private' | 'untrusted'

/** A JSON Schema. */
export type JsonSchema = JsonObject

/** A Standard Schema that converts to JSON Schema: zod 4, ArkType, and others. */
export type DescribedSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>

/** A tool the model may call. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema, or any Standard Schema that converts to JSON Schema. */
  readonly input: JsonSchema | DescribedSchema
  /** What arguments are checked against instead of `input`, when that lists values that may be out of date. */
  readonly accepts?: JsonSchema
  readonly effect: Effect | ((args: JsonObject) => Effect)
  /** `false`: only the deadline of the turn. Absent: the default of the run. */
  readonly timeoutMs?: number | false
  /** Never runs together with another call, although it only reads. */
  readonly alone?: boolean
  /** It is meant to be called repeatedly with the same arguments. */
  readonly polls?: boolean
  /** Running it again with the same arguments changes nothing more. Other writes are not repeated in a turn unasked. */
  readonly idempotent?: boolean
  /**
   * It passes `idempotencyKey` to a service that acts once per key. After a crash such a call runs again; other calls with
   * side effects do not.
   */
  readonly honoursKey?: boolean
  /** A successful call ends the turn with `needs-input`: its text is the question. */
  readonly endsTurn?: boolean
  /** The most characters of its output that the model gets. */
  readonly maxOutputChars?: number
  /** Its output is never compacted, because a program reads it or its size is already limited. */
  readonly exact?: boolean
  /** For a tool that runs commands: the command line, which helps to compact its output. */
  readonly command?: (args: JsonObject) => string | undefined
  /** `host`: only for the program around the harness; a call of a model is refused. */
  readonly scope?: 'model' | 'host'
  /** The app it acts in; absent for a local tool. */
  readonly app?: AppName | ((args: JsonObject) => AppName | undefined)
  /** The account it acts with; absent for a local tool. */
  readonly connectionId?: string
  /** Its definition and its results come from a third party, such as an MCP server. Nothing in them is trusted. */
  readonly isThirdParty?: boolean
  /** Its results are text from outside: the model reads them in a frame. A third party's results are `app`. */
  readonly resultsFrom?: UntrustedSource
  /** Changes when the definition changes. Absent: computed from name, description, schema and effect. */
  readonly definitionDigest?: string
  /**
   * What its results carry. Absent: both labels. `inherited`: whatever the thread has read so far, in words that a model
   * chose, such as a sub-agent's report. `repeated`: the same, in the words of an earlier result. `described`: what a third
   * party says about its tools.
   */
  readonly returns?: readonly DataLabel[] | 'inherited' | 'repeated' | 'described'
  /**
   * The arguments that decide where information or money goes: a recipient, a URL, an account, a channel. For a tool that
   * calls an outside service, also the argument that leaves with the call, such as the query of a web search. Absent:
   * guessed from the names in its schema.
   */
  readonly destinations?: readonly string[]
  /**
   * The hosts that a call with these arguments talks to, each over a protected connection. Only such a tool can be given
   * a named secret of the user.
   */
  readonly hosts?: (args: JsonObject) => readonly string[]
  /** Why it cannot be used now. A call is answered with it: nothing is checked, nobody is asked, nothing runs. */
  readonly unavailable?: ToolOutcome
  /** For the timeline. Must be cheap. */
  readonly label?: (args: JsonObject) => { readonly label: string; readonly detail?: string }
  readonly run: (args: never, context: ToolContext) => unknown
}

/** What a tool gets besides its arguments. */
export interface ToolContext {
  readonly callId: CallId
  /** The same for a repeated attempt at the same call: pass it to services that honour one. */
  readonly idempotencyKey: string
  /** Aborted when the turn is stopped or the deadline has passed. */
  readonly signal: AbortSignal
  readonly run: RunContext
  /** True when this call runs again from its start after a crash or a wait. */
  readonly isRepeatable?: boolean
  /** The arguments hold a named secret: the call must reach no host but those that `hosts` named. */
  readonly holdsSecret?: boolean
  /** The call has its result: nothing more can be started for it. */
  readonly isOver?: boolean
  /** Charges a model call of the tool to the turn. */
  spend?(usage: Usage, model: string): void | Promise<void>
  /**
   * Parks the whole turn until this has happened; then the call runs again. Never returns. Absent without a durable
   * store: then the tool waits itself, for a limited time.
   */
  park?(waitsFor: WaitsFor): Promise<never>
}

/** The app a call acts in, if its tool names one. Never throws. */
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

/** Whether a schema is a Standard Schema. */
export function isStandardSchema(schema: Tool['input']): schema is DescribedSchema {
  return '~standard' in schema
}

const described = new WeakMap<object, JsonSchema>()

/** The schema as JSON Schema. Converted once per schema. */
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

/** Where the results of a tool come from, if from outside. Undefined: they are the harness's or its program's own. */
export function resultsFrom({
  resultsFrom: declared,
  isThirdParty,
  returns,
}: Tool): UntrustedSource | undefined {
  return declared ?? (isThirdParty ? 'app' : returns?.includes('untrusted') ? 'tool' : undefined)
}

/** The effect of a call with these arguments. `write` for a tool that throws or declares none. */
export function effectOf(tool: Tool, args: JsonObject): Effect {
  try {
    const effect = typeof tool.effect === 'function' ? tool.effect(args) : tool.effect
    return Object.hasOwn(REACH, effect) ? effect : 'write'
  } catch {
    return 'write'
  }
}

/** Whether a call may run again when its outcome is unknown. */
export const isRepeatable = (tool: Tool, args: JsonObject): boolean =>
  tool.honoursKey === true || effectOf(tool, args) === 'read'
