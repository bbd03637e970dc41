import type { Store } from '@capstan/harness/stores'
import type { DiagnosticCheck } from '@capstan/protocol'
import type { EmbedderChoice } from '../../settings/choose-embedder.ts'
import { VECTOR_KIND } from './vector-memo.ts'

interface CheckedParts {
  readonly userId: string
  readonly store: Pick<Store, 'memory' | 'jobs'>
  readonly embeddings: EmbedderChoice
}

/** How much of memory is found by meaning, and what stands in the way. */
export async function checkEmbeddings({
  userId,
  store,
  embeddings: { embedder, problem },
}: CheckedParts): Promise<Omit<DiagnosticCheck, 'id'>> {
  const next = 'Choose another embedding model in Settings, or enter its key.'
  if (problem !== undefined)
    return {
      state: 'warning',
      finding: { code: 'embeddings-unusable', detail: problem },
      remedy: 'embeddings-unusable',
      found: problem,
      next,
    }
  if (!embedder)
    return {
      state: 'ok',
      finding: { code: 'embeddings-off' },
      found: 'No embedding model is set. Memory is searched by words.',
    }
  const { done, missing } = await store.memory.vectors.count(userId, embedder.id)
  const facts = { model: embedder.id, done, total: done + missing }
  const found = `${embedder.id} is set up. ${done} of ${done + missing} items in memory have vectors.`
  const failure = (await store.jobs.get(userId, VECTOR_KIND))?.lastFailure
  if (!failure || missing === 0) return { state: 'ok', finding: { code: 'embeddings', ...facts }, found }
  return {
    state: 'warning',
    finding: { code: 'embeddings-failing', ...facts, detail: failure.cause },
    remedy: 'embeddings-unusable',
    found: `${found} The last try failed: ${failure.cause}`,
    next,
  }
}
