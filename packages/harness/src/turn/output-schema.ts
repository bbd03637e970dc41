import type { TurnOutcome } from '@capstan/protocol'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonValue } from './json.ts'
import type { DescribedSchema, JsonSchema } from './tool.ts'

/** The form a result must have: JSON Schema, or any Standard Schema that can describe itself as JSON Schema. */
export type OutputSchema = JsonSchema | DescribedSchema

/** What a schema gives: its own type for a Standard Schema, plain JSON for JSON Schema. */
export type OutputOf<Schema> =
  Schema extends StandardSchemaV1<infer _Input, infer Output> ? Output : JsonValue

type Done = Extract<TurnOutcome, { readonly type: 'done' }>

/** An outcome whose `done` has a result of this type. `undefined`: no form was asked for. */
export type OutcomeWith<Output> = [Output] extends [undefined]
  ? TurnOutcome
  : Exclude<TurnOutcome, Done> | (Omit<Done, 'output'> & { readonly output: Output })

/** What a turn gives that may have been asked for a form of its own, over that of its agent. */
export type ResultOf<Schema, Output = undefined> = OutputSchema extends Schema
  ? Output
  : Schema extends OutputSchema
    ? OutputOf<Schema>
    : Output
