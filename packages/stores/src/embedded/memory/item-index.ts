import { toTermKey } from '@capstan/harness/stores'
import type { ItemIndex, UserVectors } from '@capstan/harness/stores'
import { toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { MemoryIndex } from './memory-index.ts'

/** Answers about the items of one user. */
export function createItemIndex(
  access: StoreAccess,
  index: Pick<MemoryIndex, 'count' | 'find'>,
  userId: string,
  rowOf: (no: number) => MemoryColumns | undefined,
  vectors: UserVectors,
): ItemIndex {
  return {
    nearest: (vector, limit) => vectors.nearest(userId, vector, limit),
    count: (terms) =>
      access.read(() => {
        const keys = new Map(terms.map((term) => [toTermKey(userId, term), term]))
        const counts = index.count([...keys.keys()])
        return new Map([...counts].map(([key, count]) => [keys.get(key) ?? '', count]))
      }),
    find: (terms, limit) =>
      access.read(() => {
        const keys = terms.map(({ term, weight }) => ({ key: toTermKey(userId, term), weight }))
        return index.find(keys, limit).flatMap((no) => {
          const row = rowOf(no)
          return row ? toMemoryItem(row) : []
        })
      }),
  }
}
