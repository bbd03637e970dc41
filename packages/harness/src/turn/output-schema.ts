import type { TurnOutcome } from '@capstan/protocol'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonValue } from './json.ts'
import type { DescribedSchema, JsonSchema } from './tool/tool.ts'

/** The schema of a result: JSON Schema, or any Standard Schema that converts to JSON Schema. */
export type OutputSchema = JsonSchema | DescribedSchema

/** The type of a result: that of a Standard Schema, or plain JSON for JSON Schema. */
export type OutputOf<Schema> =
  Schema extends StandardSchemaV1<infer _Input, infer Output> ? Output : JsonValue

type Done = Extract<TurnOutcome, { readonly type: 'done' }>

/** An outcome whose `done` has a result of this type. `undefined`: no schema was given. */
export type OutcomeWith<Output> = [Output] extends [undefined]
  ? TurnOutcome
  : Exclude<TurnOutcome, Done> | (Omit<Done, 'output'> & { readonly output: Output })

/** The result type of a turn: its own schema overrides that of its agent. */
export type ResultOf<Schema, Output = undefined> = OutputSchema extends Schema
  ? Output
  : Schema extends OutputSchema
    ? OutputOf<Schema>
    : Output
