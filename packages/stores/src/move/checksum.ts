import { createHash } from 'node:crypto'

/** How many things of one kind there are, and a hash of all of them. */
export interface Checksum {
  readonly count: number
  readonly sha256: string
}

/** Hashes values in their order. Two values have the same hash when they are the same JSON, whatever the order of keys. */
export interface Summing {
  add(value: unknown): void
  end(): Checksum
}

export function createSumming(): Summing {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(value) {
      hash.update(`${toCanonical(value)}\n`)
      count++
    },
    end: () => ({ count, sha256: hash.digest('hex') }),
  }
}

/** JSON with sorted keys. */
export function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Map) return [...part].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
