import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../database/connection.ts'

/** How far the chain reached when the store was opened or closed. Kept beside the database: a changed one cannot agree. */
export interface ChainNote {
  readonly page: number
  /** The seal of that page, in hexadecimal; blank when it has none. */
  readonly mac: string
}

const FILE = 'chain.json'

/** Undefined when no chain was ever started in this folder. A note that cannot be read names no page. */
export function readChainNote(folder: string): ChainNote | undefined {
  try {
    const { page, mac } = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Partial<ChainNote>
    return { page: Number(page) || 0, mac: String(mac) }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : { page: 0, mac: '' }
  }
}

/** Never fails: on a full disk the earlier note stays, which is still true. */
export function writeChainNote(folder: string, note: ChainNote): void {
  try {
    writeFileSync(join(folder, FILE), JSON.stringify(note), { mode: 0o600 })
  } catch {
    // The next start or end writes it.
  }
}

/** The note of the last page. */
export function toChainNote(connection: Connection): ChainNote {
  const last = connection
    .prepare<{ readonly page: number; readonly mac: Uint8Array | null }>(
      'SELECT id AS page, mac FROM journal ORDER BY id DESC LIMIT 1',
    )
    .get()
  return { page: last?.page ?? 0, mac: toHex(last?.mac) }
}

/** Whether the page of the note is still there, with the same seal. */
export function holdsNoted(connection: Connection, { page, mac }: ChainNote): boolean {
  if (page === 0) return true
  const found = connection
    .prepare<{ readonly mac: Uint8Array | null }>('SELECT mac FROM journal WHERE id = ?')
    .get(page)
  return found !== undefined && toHex(found.mac) === mac
}

const toHex = (mac: Uint8Array | null | undefined): string => (mac ? Buffer.from(mac).toString('hex') : '')
