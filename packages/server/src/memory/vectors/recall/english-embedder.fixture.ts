import { Worker } from 'node:worker_threads'
import type { AiSdkEmbeddingModel } from '@capstan/harness/models'

/** An embedding model for English that needs no network, and what ends it. */
export function startEnglishEmbedder(): { readonly model: AiSdkEmbeddingModel; stop(): Promise<number> } {
  const worker = new Worker(new URL('./english-worker.fixture.ts', import.meta.url))
  const waiting = new Map<number, (vectors: number[][]) => void>()
  let last = 0
  worker.on('message', ({ id, vectors }: { readonly id: number; readonly vectors: number[][] }) => {
    waiting.get(id)?.(vectors)
    waiting.delete(id)
  })
  const model: AiSdkEmbeddingModel = {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: 'universal-sentence-encoder-lite-en',
    maxEmbeddingsPerCall: 32,
    supportsParallelCalls: false,
    async doEmbed({ values }) {
      const id = ++last
      const answer = new Promise<number[][]>((resolve) => waiting.set(id, resolve))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      worker.postMessage({ id, texts: values })
      return { embeddings: await answer, warnings: [] }
    },
  }
  return { model, stop: () => worker.terminate() }
}
