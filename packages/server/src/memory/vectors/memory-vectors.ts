import type { Clock } from '@capstan/harness/seams'
import type { Store, UserMemory } from '@capstan/harness/stores'
import type { Jobs } from '../../jobs/jobs.ts'
import { gatherNotices } from '../../sessions/gather-notices.ts'
import type { SettingsStore } from '../../settings/settings-store.ts'
import type { UpdateListeners } from '../../sessions/update-listeners.ts'
import { createQueryVectors } from './query-vectors.ts'
import type { ToQueryVector } from './query-vectors.ts'
import { createVectorHandler } from './vector-handler.ts'
import type { VectorParts } from './vector-handler.ts'
import { VECTOR_KIND, readMemo } from './vector-memo.ts'

/** Vectors of what is in memory, made by a job for each user. */
export interface MemoryVectors {
  /** The memory of the user has changed. */
  note(userId: string): void
  readonly toQueryVector: ToQueryVector
}

interface MemoryVectorsOptions extends Pick<VectorParts, 'allowanceOf'> {
  readonly store: Pick<Store, 'memory' | 'runs'>
  readonly settings: Pick<SettingsStore, 'embedder'>
  readonly jobs: Jobs
  readonly clock: Clock
  readonly updates: Pick<UpdateListeners, 'subscribe'>
  readonly onProblem: (problem: unknown) => void
}

/** Begins with what came into the memory of the owner while no server ran. */
export function openMemoryVectors(ownerId: string, options: MemoryVectorsOptions): MemoryVectors {
  const { store, settings, allowanceOf, jobs, clock, updates, onProblem } = options
  const { vectors } = store.memory
  const embedderOf: VectorParts['embedderOf'] = (userId) => settings.embedder(userId).embedder
  const parts: VectorParts = { vectors, runs: store.runs, embedderOf, allowanceOf }
  const models = new Map<string, string | undefined>()
  const queryVectors = createQueryVectors({ ...parts, clock, onProblem })
  jobs.register(createVectorHandler(parts))

  /** Something may have to be embedded. `isNew`: with another model, so nothing is waited for. */
  async function ensure(userId: string, isNew: boolean): Promise<void> {
    const embedder = embedderOf(userId)
    if (!embedder) return
    const [first] = await vectors.missing(userId, embedder.id, 1)
    if (!first) return
    const nextAt = clock.now()
    const { job, added } = await jobs.add({
      id: VECTOR_KIND,
      userId,
      kind: VECTOR_KIND,
      key: VECTOR_KIND,
      title: 'Vectors for memory',
      body: null,
      nextAt,
    })
    if (added) return
    const { waitsFor, model } = readMemo(job)
    const isIdle = waitsFor === 'items' || job.status === 'running' || job.status === 'done'
    const isOther = isNew || (model !== '' && model !== embedder.id)
    if (isIdle || isOther) await jobs.change(userId, job.id, { status: 'waiting', nextAt }, NOT_STOPPED)
  }

  const note = gatherNotices(clock, (userId) => void ensure(userId, false).catch(onProblem))

  /** A user that was not seen before may have items from a time without a server or a model. */
  function look(userId: string): void {
    const now = embedderOf(userId)?.id
    const isKnown = models.has(userId)
    if (isKnown && models.get(userId) === now) return
    models.set(userId, now)
    void ensure(userId, isKnown).catch(onProblem)
  }

  look(ownerId)
  updates.subscribe(({ type, userId }) => {
    if (type === 'settings-change') look(userId)
  })
  return {
    note: (userId) => (embedderOf(userId) ? note(userId) : undefined),
    toQueryVector(userId, words) {
      look(userId)
      return queryVectors(userId, words)
    },
  }
}

/** A person who paused or cancelled the job counts more. */
const NOT_STOPPED = ['waiting', 'running', 'done', 'failed'] as const

/**
 * Memory whose searches also go by vectors, where there are any, and whose new items are embedded. `vectors` is asked when
 * memory is used.
 */
export function withVectors(memory: UserMemory, vectors: () => MemoryVectors): UserMemory {
  return {
    ...memory,
    async put(userId, items) {
      const answer = await memory.put(userId, items)
      vectors().note(userId)
      return answer
    },
    async search(userId, query) {
      const vector = await vectors().toQueryVector(userId, query.words)
      return memory.search(userId, vector ? { ...query, vector } : query)
    },
  }
}
