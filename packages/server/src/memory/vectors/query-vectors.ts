import type { Embedder } from '@capstan/harness/models'
import type { Clock } from '@capstan/harness/seams'
import { scrubSecrets } from '@capstan/harness/stages'
import { toUnit } from '@capstan/harness/stores'
import type { QueryVector } from '@capstan/harness/stores'
import type { VectorParts } from './vector-handler.ts'
import { recordSpending } from './vector-handler.ts'

/** A search does not wait longer for its vector. */
const TIMEOUT_MS = 1_500
/** After a failure, searches go by words for so long, without waiting. */
const PAUSE_MS = 30_000
const MOST_KEPT = 200
const MAX_CHARS = 1_000

/** Turns queries into vectors. Undefined: the search goes by words alone. Never rejects. */
export type ToQueryVector = (userId: string, words: string) => Promise<QueryVector | undefined>

interface QueryParts extends Pick<VectorParts, 'vectors' | 'embedderOf' | 'allowanceOf' | 'runs'> {
  readonly clock: Clock
  readonly onProblem: (problem: unknown) => void
}

export function createQueryVectors(parts: QueryParts): ToQueryVector {
  const { vectors, embedderOf, allowanceOf, clock, onProblem } = parts
  const kept = new Map<string, QueryVector>()
  const filled = new Set<string>()
  const pausedUntil = new Map<string, number>()

  /** Without vectors there is nothing to compare with, and nothing is paid. */
  async function hasVectors(userId: string, model: string): Promise<boolean> {
    const key = JSON.stringify([userId, model])
    if (!filled.has(key) && (await vectors.count(userId, model)).done > 0) filled.add(key)
    return filled.has(key)
  }

  async function embed(userId: string, embedder: Embedder, text: string): Promise<QueryVector | undefined> {
    const timeout = new AbortController()
    const cancel = clock.after(TIMEOUT_MS, () => timeout.abort(new Error('it took too long')))
    try {
      const { vectors: made, usage } = await untilAborted(
        embedder.embed([scrubSecrets(text)], timeout.signal),
        timeout.signal,
      )
      await recordSpending(userId, embedder.id, usage, clock.now(), parts)
      const values = made[0] && toUnit(made[0])
      return values && { model: embedder.id, values }
    } finally {
      cancel()
    }
  }

  return async (userId, words) => {
    const embedder = embedderOf(userId)
    const text = words.trim().slice(0, MAX_CHARS)
    if (!embedder || text === '' || clock.now() < (pausedUntil.get(embedder.id) ?? 0)) return undefined
    const key = JSON.stringify([embedder.id, text])
    const known = kept.get(key)
    try {
      if (!(await hasVectors(userId, embedder.id))) return undefined
      if (known) return known
      const allowance = allowanceOf(userId)
      await allowance.ready()
      if (allowance.reached()) return undefined
      const vector = await embed(userId, embedder, text)
      if (vector) keep(kept, key, vector)
      return vector
    } catch (error) {
      pausedUntil.set(embedder.id, clock.now() + PAUSE_MS)
      const why = error instanceof Error ? error.message : String(error)
      onProblem(new Error(`Memory is searched by words alone: ${scrubSecrets(why)}`))
      return undefined
    }
  }
}

function keep(kept: Map<string, QueryVector>, key: string, vector: QueryVector): void {
  kept.set(key, vector)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}

/** Also for an embedder that ignores the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}
