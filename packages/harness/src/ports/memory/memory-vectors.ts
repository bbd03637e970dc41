import { createNearestFinder } from '../item-vectors/find-nearest.ts'
import { hasSameText } from '../item-vectors/passages.ts'
import { toSignBytes, toVectorBytes } from '../item-vectors/vector-bytes.ts'
import type { MemoryItem } from '../user-memory.ts'
import type { UserVectors } from '../user-vectors.ts'

interface Row {
  readonly no: number
  readonly item: string
  readonly model: string
  readonly dimensions: number
  readonly signs: Uint8Array
  readonly vector: Uint8Array
}

interface Vectors {
  rows: Row[]
  /** By which model each item was embedded. */
  readonly models: Map<string, string>
}

/** Vectors in memory, and what the items they belong to need. */
export interface MemoryVectors {
  readonly port: UserVectors
  /** The item was deleted, or has another text. */
  forget(userId: string, id: string): void
}

/** `itemsOf`: in the order they were put. */
export function createMemoryVectors(
  itemsOf: (userId: string) => ReadonlyMap<string, MemoryItem>,
): MemoryVectors {
  const users = new Map<string, Vectors>()
  const finder = createNearestFinder()
  let lastNo = 0
  const of = (userId: string): Vectors => {
    const known = users.get(userId) ?? { rows: [], models: new Map<string, string>() }
    users.set(userId, known)
    return known
  }
  const forget = (userId: string, id: string): void => {
    const vectors = of(userId)
    if (!vectors.models.delete(id)) return
    vectors.rows = vectors.rows.filter(({ item }) => item !== id)
    finder.forget(userId)
  }
  const missing = (userId: string, model: string): MemoryItem[] =>
    [...itemsOf(userId).values()].filter(({ id }) => of(userId).models.get(id) !== model)
  const port: UserVectors = {
    missing: (userId, model, limit) => missing(userId, model).toReversed().slice(0, limit),
    count(userId, model) {
      const waiting = missing(userId, model).length
      return { done: itemsOf(userId).size - waiting, missing: waiting }
    },
    put(userId, model, embedded) {
      const kept = embedded.filter(({ item }) => {
        const now = itemsOf(userId).get(item.id)
        return now !== undefined && hasSameText(now, item)
      })
      for (const { item, vectors } of kept) {
        forget(userId, item.id)
        const { rows, models } = of(userId)
        models.set(item.id, model)
        for (const vector of vectors) {
          const bytes = { signs: toSignBytes(vector), vector: toVectorBytes(vector) }
          rows.push({ no: ++lastNo, item: item.id, model, dimensions: vector.length, ...bytes })
        }
      }
      return kept.length
    },
    async nearest(userId, query, limit) {
      const rows = of(userId).rows.filter(
        ({ model, dimensions }) => model === query.model && dimensions === query.values.length,
      )
      const found = await finder.find(userId, query, limit, {
        signs: (afterNo) => rows.filter(({ no }) => no > afterNo),
        vectors: (nos) => rows.filter(({ no }) => nos.includes(no)),
      })
      return found.flatMap(({ id, cosine }) => {
        const item = itemsOf(userId).get(id)
        return item ? { item, cosine } : []
      })
    },
    removeAll(userId) {
      users.delete(userId)
      finder.forget(userId)
    },
  }
  return { port, forget }
}
