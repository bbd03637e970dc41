import type { Database } from '../postgres/database/database.ts'
import type { NodeKeys } from '../postgres/keys.ts'
import type { Lane } from '../postgres/audit/lanes.ts'
import type { Source } from './source.ts'

/** How the rows of one table are copied. */
export interface TableCopy {
  readonly table: string
  /** Columns with their types, in the order of the values. */
  readonly columns: Readonly<Record<string, string>>
  rows(from: CopyContext): Iterable<readonly unknown[]>
}

/** What a copy reads, and what it seals and locks with. */
export interface CopyContext {
  readonly source: Source
  readonly keys: NodeKeys
  /** The audit chain that all pages are sealed into. */
  readonly lane: Lane
}

const MAX_ROWS = 500
const MAX_BYTES = 4 * 2 ** 20

/** Copies a table in batches. A batch that is sent twice is written once. Answers with the number of rows. */
export async function copyTable(
  database: Database,
  copy: TableCopy,
  context: CopyContext,
  onRows: (count: number) => void = () => {},
): Promise<number> {
  let batch: (readonly unknown[])[] = []
  let bytes = 0
  let count = 0
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return
    await insertRows(database, copy, batch)
    count += batch.length
    onRows(batch.length)
    batch = []
    bytes = 0
  }
  for (const row of copy.rows(context)) {
    batch.push(row)
    for (const value of row) bytes += sizeOf(value)
    if (batch.length >= MAX_ROWS || bytes >= MAX_BYTES) await flush()
  }
  await flush()
  return count
}

async function insertRows(
  database: Database,
  { table, columns }: TableCopy,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const names = Object.keys(columns)
  const lists = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
  await database.writeLazily(
    `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${lists.join(', ')})
    ON CONFLICT DO NOTHING`,
    names.map((_name, index) => rows.map((row) => toValue(row[index]))),
  )
}

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8

/** The driver knows bytes only as a buffer. */
const toValue = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

/** For texts that are only shown: PostgreSQL cannot hold NUL. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '')

/** The seal of what was not intact: it fits nothing, so it stays not intact. */
export const NO_SEAL = Buffer.alloc(32)
