import type { MemoryItem } from '@capstan/harness/stores'
import { toIndexWord, toKeys } from '../../shared/memory/memory-columns.ts'
import type { Connection } from '../database/connection.ts'

/** A key, and what an item that has it gains. */
interface WeightedKey {
  readonly key: number
  readonly weight: number
}

/** What items are found by. */
export interface MemoryIndex {
  /** Answers with a sum of what was added, to be given to `remove`. */
  add(no: number, userId: string, item: MemoryItem): number
  /** False: the item was indexed by other terms, so that the whole index has to be made again. */
  remove(no: number, userId: string, item: MemoryItem, sum: number): boolean
  clear(): void
  /** Call it when a transaction starts: what a failed one has counted is forgotten. */
  reset(): void
  /** Writes what was counted. Call it before the transaction ends. */
  flush(): void
  count(keys: readonly number[]): ReadonlyMap<number, number>
  /** The numbers of the items with the largest sum of weights. */
  find(keys: readonly WeightedKey[], limit: number): number[]
}

export function createMemoryIndex(connection: Connection): MemoryIndex {
  const insert = connection.prepare('INSERT INTO memory_index (rowid, terms) VALUES (?, ?)')
  const remove = connection.prepare(
    `INSERT INTO memory_index (memory_index, rowid, terms) VALUES ('delete', ?, ?)`,
  )
  const addCount = connection.prepare(
    'INSERT INTO memory_terms VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET items = items + excluded.items',
  )
  const dropEmpty = connection.prepare('DELETE FROM memory_terms WHERE key = ? AND items <= 0')
  const count = connection.prepare<{ readonly key: number; readonly items: number }>(
    'SELECT key, items FROM memory_terms WHERE key IN (SELECT value FROM json_each(?))',
  )
  const find = connection.prepare<{ readonly no: number }>(
    `SELECT memory_index.rowid AS no FROM json_each(?) AS asked
    JOIN memory_index ON memory_index MATCH asked.value ->> 0
    GROUP BY memory_index.rowid ORDER BY sum(asked.value ->> 1) DESC, memory_index.rowid DESC LIMIT ?`,
  )
  const changes = new Map<number, number>()
  const note = (keys: readonly number[], by: number): void => {
    for (const key of keys) changes.set(key, (changes.get(key) ?? 0) + by)
  }
  return {
    add(no, userId, item) {
      const keys = toKeys(userId, item)
      insert.run(no, keys.map(toIndexWord).join(' '))
      note(keys, 1)
      return sumOf(keys)
    },
    remove(no, userId, item, sum) {
      const keys = toKeys(userId, item)
      if (sumOf(keys) !== sum) return false
      remove.run(no, keys.map(toIndexWord).join(' '))
      note(keys, -1)
      return true
    },
    clear() {
      connection.db.exec(
        `INSERT INTO memory_index (memory_index) VALUES ('delete-all'); DELETE FROM memory_terms`,
      )
      changes.clear()
    },
    reset: () => changes.clear(),
    flush() {
      // In their order the rows lie side by side.
      for (const [key, by] of [...changes].toSorted(([a], [b]) => a - b)) {
        if (by !== 0) addCount.run(key, by)
        if (by < 0) dropEmpty.run(key)
      }
      changes.clear()
    },
    count: (keys) => new Map(count.all(JSON.stringify(keys)).map(({ key, items }) => [key, items])),
    find: (keys, limit) =>
      find
        .all(JSON.stringify(keys.map(({ key, weight }) => [`"${toIndexWord(key)}"`, weight])), limit)
        .map(({ no }) => no),
  }
}

const sumOf = (keys: readonly number[]): number =>
  keys.reduce((sum, key) => (sum + key) % Number.MAX_SAFE_INTEGER, 0)
