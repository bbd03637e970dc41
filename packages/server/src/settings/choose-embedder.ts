import { ConfigurationError } from '@capstan/harness'
import { createEmbedder } from '@capstan/harness/models'
import type { Embedder } from '@capstan/harness/models'
import type { Settings } from '@capstan/protocol'
import type { Environment, ModelKeys } from './choose-model.ts'
import { withKeys } from './choose-model.ts'

/** What makes vectors for memory. Without an embedder memory is searched by words. */
export interface EmbedderChoice {
  readonly embedder?: Embedder
  readonly from: 'settings' | 'environment'
  /** Why the one that was asked for is not in use. */
  readonly problem?: string
}

interface EmbedderWishes {
  /** From the settings. Empty: none. */
  readonly setting: string
  readonly keys: ModelKeys
  readonly env: Environment
}

/** The embedding model of the settings, else CAPSTAN_EMBEDDING_MODEL. No other takes the place of one that cannot be used. */
function chooseEmbedder({ setting, keys, env }: EmbedderWishes): EmbedderChoice {
  const from = setting === '' ? 'environment' : 'settings'
  const name = setting || env['CAPSTAN_EMBEDDING_MODEL']?.trim()
  if (!name) return { from }
  try {
    return { embedder: makeEmbedder(name, keys, env), from }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return { from, problem: `The embedding model ${name} cannot be used: ${error.message}` }
  }
}

/** The embedders of users. */
interface Embedders {
  /** The same object until `forget`. */
  of(userId: string): EmbedderChoice
  /** Settings have changed. */
  forget(): void
}

/** `given`: this one for everybody, whatever the settings say. */
export function createEmbedders(
  wishesOf: (userId: string) => EmbedderWishes & { readonly onProblem: (problem: unknown) => void },
  given: Embedder | undefined,
): Embedders {
  const choices = new Map<string, EmbedderChoice>()
  return {
    of(userId) {
      if (given) return { embedder: given, from: 'environment' }
      const known = choices.get(userId)
      if (known) return known
      const wishes = wishesOf(userId)
      const choice = chooseEmbedder(wishes)
      if (choice.problem !== undefined) wishes.onProblem(new Error(choice.problem))
      choices.set(userId, choice)
      return choice
    },
    forget: () => choices.clear(),
  }
}

/** What the settings show of it. */
export const toEmbeddingInUse = ({
  embedder,
  from,
}: EmbedderChoice): Pick<Settings, 'embeddingInUse'> | undefined =>
  embedder && { embeddingInUse: { name: embedder.id, from } }

/** Throws a `ConfigurationError` for an unknown name or a missing key. */
export const makeEmbedder = (name: string, keys: ModelKeys, env: Environment): Embedder =>
  createEmbedder(name, { env: withKeys(name, keys, env) })
