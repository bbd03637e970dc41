import type { AiSdkEmbeddingModel } from '@capstan/harness/models'

/** Words that mean nearly the same, one line for each direction. */
const MEANINGS = [
  ['heating', 'boiler', 'radiator', 'warm', 'cold'],
  ['money', 'budget', 'invoice', 'salary'],
  ['train', 'railway', 'journey', 'trip'],
  ['dog', 'puppy', 'pet'],
]
const DIMENSIONS = 64

/** An embedding model of the AI SDK that knows a few words, and what it was asked. */
export function createFakeEmbedder(modelId = 'fake', dimensions = DIMENSIONS) {
  const asked: string[][] = []
  const state = {
    asked,
    /** Called before each answer. */
    before: undefined as ((values: readonly string[], signal?: AbortSignal) => unknown) | undefined,
  }
  const model: AiSdkEmbeddingModel = {
    specificationVersion: 'v4',
    provider: 'test.embedding',
    modelId,
    maxEmbeddingsPerCall: 8,
    supportsParallelCalls: false,
    async doEmbed({ values, abortSignal }) {
      asked.push(values)
      await state.before?.(values, abortSignal)
      return {
        embeddings: values.map((value) => toVector(value, dimensions)),
        usage: { tokens: values.length * 10 },
        warnings: [],
      }
    },
  }
  return { model, ...state, set: (before: typeof state.before) => void (state.before = before) }
}

function toVector(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001)
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  for (const word of words) {
    const meaning = MEANINGS.findIndex((group) => group.includes(word))
    const at = meaning >= 0 ? meaning : 8 + (hashOf(word) % (dimensions - 8))
    vector[at]! += meaning >= 0 ? 3 : 0.3
  }
  return vector
}

const hashOf = (word: string): number =>
  Array.from(word).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
