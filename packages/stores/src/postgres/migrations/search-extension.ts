import type { Database } from '../database/database.ts'
import { isConnectionLoss } from '../database/store-errors.ts'
import type { StoreError } from '@capstan/harness'

/**
 * Texts without spaces between words are searched letter by letter, and `pg_trgm` makes that quick. Without it the search
 * works and reads every such text of a user. Answers with what a person should know.
 */
export async function openSearchExtension(database: Database): Promise<string[]> {
  const [found] = await database.read<{ is_indexed: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'search_unspaced')
    AS is_indexed`,
  )
  if (found?.is_indexed) return []
  try {
    await database.transaction(async (query) => {
      await query(`SELECT pg_advisory_xact_lock(hashtextextended('capstan pg_trgm', 0))`)
      await query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
      // It may be in a schema that is not searched.
      const [row] = await query<{ schema: string }>(
        `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
        WHERE extname = 'pg_trgm'`,
      )
      await query(
        `CREATE INDEX IF NOT EXISTS search_unspaced ON search USING gin (unspaced ${row!.schema}.gin_trgm_ops)
        WHERE unspaced IS NOT NULL`,
      )
    })
    return []
  } catch (error) {
    if (isConnectionLoss((error as StoreError).cause)) throw error
    return [
      'The extension pg_trgm is missing: searching for Chinese, Japanese and Thai words is slow. ' +
        'Run "CREATE EXTENSION pg_trgm" as an administrator of the database, and start again.',
    ]
  }
}
