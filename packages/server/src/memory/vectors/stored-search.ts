import { Allowance, quietClock } from '@capstan/harness/seams'
import type { Store, UserMemory } from '@capstan/harness/stores'
import { createFolderDocuments } from '../../documents/installation-documents.ts'
import { createEmbedders } from '../../settings/choose-embedder.ts'
import type { Environment } from '../../settings/choose-model.ts'
import { openKeyStore } from '../../settings/key-store.ts'
import { readStoredSettings } from '../../settings/settings-file.ts'
import { createQueryVectors } from './query-vectors.ts'

interface StoredSearchOptions {
  readonly store: Pick<Store, 'memory' | 'connections'>
  /** The data folder with the settings. Absent: only CAPSTAN_EMBEDDING_MODEL counts. */
  readonly folder?: string
  readonly userId: string
  readonly env: Environment
  readonly onProblem: (problem: unknown) => void
}

/**
 * The search of a store that no server has opened: also by vectors, where an embedding model is set and has made some. What
 * the queries cost is not recorded. Never rejects for a model that cannot be used.
 */
export async function openStoredSearch(options: StoredSearchOptions): Promise<UserMemory['search']> {
  const { store, folder, userId, env, onProblem } = options
  const { memory } = store
  const documents = folder === undefined ? undefined : createFolderDocuments(folder, store.connections.vault)
  const settings = documents && readStoredSettings(documents.plain)
  const setting = settings?.users[userId]?.embeddingModel ?? ''
  const hasModel = setting !== '' || env['CAPSTAN_EMBEDDING_MODEL']
  if (!hasModel) return (user, query) => memory.search(user, query)
  const keys =
    documents && (await openKeyStore({ documents: documents.secret, userIds: [userId], env, onProblem }))
  const embedders = createEmbedders(
    () => ({ setting, keys: keys?.keysOf(userId) ?? {}, env, onProblem }),
    undefined,
  )
  const free = new Allowance({ limits: () => ({}), clock: quietClock, load: () => ({ usd: 0, tokens: 0 }) })
  const toQueryVector = createQueryVectors({
    vectors: memory.vectors,
    runs: { recordUsage: () => {} },
    embedderOf: (user) => embedders.of(user).embedder,
    allowanceOf: () => free,
    clock: quietClock,
    onProblem,
  })
  return async (user, query) => {
    const vector = await toQueryVector(user, query.words)
    return memory.search(user, vector ? { ...query, vector } : query)
  }
}
