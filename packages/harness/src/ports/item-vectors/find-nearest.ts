import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { QueryVector } from '../user-vectors.ts'
import { SignIndex } from './sign-index.ts'
import { dot, fromVectorBytes, toSigns } from './vector-bytes.ts'

/** What a store answers about the vectors of one user that have the model and the dimensions of a query. */
interface VectorRows {
  /** Those after this number, in order. */
  signs(afterNo: number): MaybePromise<readonly { readonly no: number; readonly signs: Uint8Array }[]>
  /** Those with the numbers. What was deleted is left out. */
  vectors(
    nos: readonly number[],
  ): MaybePromise<readonly { readonly no: number; readonly item: string; readonly vector: Uint8Array }[]>
}

/** Finds items by the vectors of a store. Keeps the signs of vectors in memory, of the users that searched last. */
export interface NearestFinder {
  /** The ids of items that stand out, closest first. */
  find(
    userId: string,
    query: QueryVector,
    limit: number,
    rows: VectorRows,
  ): Promise<readonly { readonly id: string; readonly cosine: number }[]>
  /** Vectors of the user were deleted. */
  forget(userId: string): void
}

// So many vectors are compared in full: those that share most signs, and some from all over to tell what is usual.
const COMPARED = 200
const SAMPLE = 300
const MAX_BYTES = 128 * 1024 * 1024
/** Of many vectors some are close by chance. A bit less than that stands out. */
const STANDS_OUT = 0.8

export function createNearestFinder(maxBytes = MAX_BYTES): NearestFinder {
  const users = new Map<string, Map<string, SignIndex>>()

  async function open(userId: string, { model, values }: QueryVector, rows: VectorRows): Promise<SignIndex> {
    const indexes = users.get(userId) ?? new Map<string, SignIndex>()
    users.delete(userId)
    users.set(userId, indexes) // the last one is the one that was used last
    const key = `${values.length} ${model}`
    const index = indexes.get(key) ?? new SignIndex(toSigns(values).length)
    indexes.set(key, index)
    const from = index.lastNo
    // A search beside this one may have added the same rows.
    for (const { no, signs } of await rows.signs(from)) if (no > index.lastNo) index.add(no, signs)
    let bytes = sumBytes(users)
    for (const [other, held] of users) {
      if (bytes <= maxBytes || other === userId) break
      users.delete(other)
      bytes -= sumBytes([[other, held]])
    }
    return index
  }

  return {
    async find(userId, query, limit, rows) {
      const index = await open(userId, query, rows)
      if (index.count === 0) return []
      const sample = new Set(index.sample(SAMPLE))
      const nos = [...new Set([...index.closest(toSigns(query.values), COMPARED), ...sample])]
      const found = (await rows.vectors(nos)).map(({ no, item, vector }) => ({
        id: item,
        cosine: dot(query.values, fromVectorBytes(vector)),
        isUsual: sample.has(no),
      }))
      // Deleted by another process: read again by the next search.
      if (found.length < nos.length) users.delete(userId)
      return pickStanding(found, index.count).slice(0, limit)
    },
    forget: (userId) => void users.delete(userId),
  }
}

interface Compared {
  readonly id: string
  readonly cosine: number
  /** It is one of those that tell what is usual. */
  readonly isUsual: boolean
}

/** The closest passage of each item, of those that are closer than chance explains. */
function pickStanding(all: readonly Compared[], count: number): Compared[] {
  const usual = all.filter(({ isUsual }) => isUsual).map(({ cosine }) => cosine)
  const mean = average(usual)
  const deviation = Math.sqrt(average(usual.map((cosine) => (cosine - mean) ** 2)))
  const least = mean + STANDS_OUT * Math.sqrt(2 * Math.log(count)) * deviation
  const best = new Map<string, Compared>()
  for (const one of all)
    if (one.cosine >= least && one.cosine > (best.get(one.id)?.cosine ?? -Infinity)) best.set(one.id, one)
  return [...best.values()].toSorted((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1))
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const sumBytes = (users: Iterable<readonly [string, ReadonlyMap<string, SignIndex>]>): number =>
  [...users].reduce(
    (sum, [, indexes]) => sum + [...indexes.values()].reduce((all, { bytes }) => all + bytes, 0),
    0,
  )
