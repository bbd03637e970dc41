import { fromIterable } from '../models/from-iterable.ts'
import type { ModelClient, ModelPart } from '../models/model-client.ts'
import { SCRIPTED_USAGE } from './scripted-model.ts'

/** A model whose replies come from a generator. */
export function handMadeModel(
  generate: Parameters<typeof fromIterable>[0],
  abilities: Partial<ModelClient['abilities']> = {},
): ModelClient {
  return {
    id: 'hand-made/model',
    abilities: { tools: true, images: true, files: [], ...abilities },
    stream: fromIterable(generate),
  }
}

/** A text part. */
export const text = (delta: string): ModelPart => ({ type: 'text', delta })

/** The last part of a reply. */
export const finish: ModelPart = { type: 'finish', reason: 'stop', usage: SCRIPTED_USAGE }
