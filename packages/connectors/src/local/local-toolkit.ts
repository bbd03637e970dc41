import { ConfigurationError } from '@capstan/harness'
import type { Effect, JsonSchema } from '@capstan/harness'
import type { ActionCall } from '@capstan/harness/connectors'
import type { DataLabel, DescribedSchema, JsonObject, MaybePromise } from '@capstan/harness/seams'
import type { SyncSource } from '@capstan/harness/memory'
import type { ConnectionRow } from '@capstan/protocol'
import { isActionName } from '../to-action.ts'

/** A toolkit written in TypeScript, in this process. */
export interface LocalToolkit {
  readonly slug: string
  readonly name: string
  readonly description: string
  /** `key`: the vault must hold `{ key }` before the sign-in begins. Default `none`. */
  readonly auth?: 'none' | 'key'
  readonly actions: readonly LocalAction[]
  /** What a sync of an account reads. Absent: there is nothing to sync. */
  readonly sync?: (account: LocalAccount) => SyncSource
  /** Whether a key is good, and whose it is. Throws when it cannot tell. Absent: every key is accepted. */
  readonly checkKey?: (key: string, signal?: AbortSignal) => MaybePromise<KeyVerdict>
}

/** The account of a user at a toolkit. */
export interface LocalAccount {
  readonly connection: ConnectionRow
  readonly key: () => Promise<string | undefined>
}

/** Whether a key works, and the label of its account. */
export type KeyVerdict = { readonly ok: true; readonly label?: string } | { readonly ok: false }

/** One action of a toolkit. It may return what a tool may return, except for a stream, or throw. */
export interface LocalAction {
  readonly name: string
  readonly description: string
  /** JSON Schema, or any Standard Schema that can describe itself as JSON Schema. */
  readonly input: JsonSchema | DescribedSchema
  readonly effect: Effect
  /** What its results carry. Absent: private data and untrusted text. */
  readonly returns?: readonly DataLabel[]
  /** The arguments that name a destination. Absent: guessed from their names. */
  readonly destinations?: readonly string[]
  readonly run: (args: never, context: LocalContext) => unknown
}

/** What an action of a local toolkit gets besides its arguments. */
export interface LocalContext extends ActionCall {
  readonly connection: ConnectionRow
  /** The key of a toolkit that needs one. It is removed from the action's output. */
  readonly key?: string
}

type InputOf<Schema> = Schema extends DescribedSchema<infer _Input, infer Output> ? Output : JsonObject

/** Defines an action. The type of `args` follows from the schema; the effect is `write` by default. */
export function defineAction<const Schema extends JsonSchema | DescribedSchema>(
  action: Omit<LocalAction, 'input' | 'run' | 'effect'> & {
    readonly input: Schema
    readonly effect?: Effect
    readonly run: (args: InputOf<Schema>, context: LocalContext) => unknown
  },
): LocalAction {
  return { effect: 'write', ...action }
}

/** Throws a `ConfigurationError` for a toolkit that cannot work. */
export function checkToolkit(toolkit: LocalToolkit): void {
  const { slug, actions } = toolkit
  if (!/^[a-z0-9_]{1,64}$/.test(slug)) {
    throw new ConfigurationError('toolkits', `"${slug}" is no slug: lower case, digits and underscores`)
  }
  const names = new Set<string>()
  for (const { name } of actions) {
    if (!isActionName(name))
      throw new ConfigurationError('toolkits', `${slug} has an action without a usable name`)
    if (names.has(name)) throw new ConfigurationError('toolkits', `${slug} has two actions "${name}"`)
    names.add(name)
  }
}
