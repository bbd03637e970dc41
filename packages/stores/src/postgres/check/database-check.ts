import type { Query } from '../database/database.ts'

/** What was found of one part of a database, and what to do about it. */
export interface DatabaseCheck {
  readonly id: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly found: string
  readonly next?: string
}

export const ok = (id: string, found: string): DatabaseCheck => ({ id, state: 'ok', found })

export const warning = (id: string, found: string, next: string): DatabaseCheck => ({
  id,
  state: 'warning',
  found,
  next,
})

export const failed = (id: string, found: string, next: string): DatabaseCheck => ({
  id,
  state: 'failed',
  found,
  next,
})

/** The values of settings of the server, by name. */
export async function readSettings(
  query: Query,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ name: string; value: string }>(
    'SELECT name, setting AS value FROM pg_settings WHERE name = ANY($1)',
    [names],
  )
  return new Map(rows.map(({ name, value }) => [name, value]))
}
