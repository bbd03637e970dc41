import type { ModelClient, ModelPart, ModelRequest } from './model-client.ts'

/** Writes a model as a generator: `stream: fromIterable(async function* (request) { yield … })`. */
export function fromIterable(
  generate: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>,
): ModelClient['stream'] {
  return async (request, signal, onPart) => {
    for await (const part of generate(request, signal)) await onPart(part)
  }
}
