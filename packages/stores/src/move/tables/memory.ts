import { toIndexWord, toKeys, toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { TableCopy } from '../copy-table.ts'
import { rowsOf } from '../source.ts'
import { valuesOf } from './threads.ts'

export const MEMORY_ITEMS: TableCopy = {
  table: 'memory_items',
  columns: {
    no: 'bigint',
    user_id: 'text',
    id: 'text',
    app: 'text',
    account: 'text',
    at: 'bigint',
    body: 'text',
    vector_model: 'text',
  },
  rows: (context) =>
    valuesOf(context, 'SELECT no, user, id, app, account, at, body, vector_model FROM memory_items'),
}

export const MEMORY_VECTORS: TableCopy = {
  table: 'memory_vectors',
  columns: {
    no: 'bigint',
    user_id: 'text',
    item: 'text',
    model: 'text',
    dimensions: 'integer',
    signs: 'bytea',
    vector: 'bytea',
  },
  rows: (context) =>
    valuesOf(
      context,
      'SELECT no, user, item, model, dimensions, signs, vector FROM memory_vectors ORDER BY no',
    ),
}

/** The index of the folder holds no texts, so it is made again. */
export const MEMORY_INDEX: TableCopy = {
  table: 'memory_index',
  columns: { no: 'bigint', words: 'tsvector' },
  *rows({ source }) {
    const rows = rowsOf<MemoryColumns & { readonly no: number; readonly user: string }>(
      source.connection,
      'SELECT * FROM memory_items',
    )
    for (const row of rows) {
      const words = toKeys(row.user, toMemoryItem(row)).map((key) => `'${toIndexWord(key)}'`)
      yield [row.no, words.join(' ')]
    }
  },
}

export const MEMORY_TERMS: TableCopy = {
  table: 'memory_terms',
  columns: { word: 'text', items: 'bigint' },
  *rows({ source }) {
    const sql = 'SELECT key, items FROM memory_terms'
    for (const { key, items } of rowsOf<{ key: number; items: number }>(source.connection, sql))
      yield [toIndexWord(key), items]
  },
}

export const MEMORY_FACTS: TableCopy = {
  table: 'memory_facts',
  columns: {
    user_id: 'text',
    id: 'text',
    status: 'text',
    created_at: 'bigint',
    changed_at: 'bigint',
    body: 'text',
  },
  rows: (context) =>
    valuesOf(context, 'SELECT user, id, status, created_at, changed_at, body FROM memory_facts'),
}
