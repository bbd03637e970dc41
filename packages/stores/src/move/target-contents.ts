import type { ThreadId } from '@capstan/protocol'
import { toThreadHash } from '../postgres/artifacts/database-artifacts.ts'
import type { OpenTables, PostgresStore } from '../postgres/open-store.ts'
import type { Choice, Contents, VectorContents } from './contents.ts'
import { readDocuments } from './documents.ts'

/** The database as one side of a move, with the bucket for artifacts if there is one. */
export function createTargetContents({ database, bucket }: OpenTables, store: PostgresStore): Contents {
  const column = async <Value>(sql: string, values?: readonly unknown[]): Promise<Value[]> =>
    (await database.read<{ value: Value }>(sql, values)).map(({ value }) => value)
  return {
    store,
    users: () => column<string>(USERS),
    threadIds: () => column<ThreadId>('SELECT id AS value FROM threads ORDER BY no'),
    connectionIds: () => column<string>('SELECT id AS value FROM connections ORDER BY no'),
    choices: () =>
      database.read<Choice>(
        'SELECT user_id AS user, toolkit FROM scopes UNION SELECT user_id, toolkit FROM action_effects',
      ),
    secretIds: () => column<string>('SELECT connection AS value FROM secrets'),
    signIns: () =>
      database.read(
        `SELECT state_hash, connection, user_id AS user, browser_hash, redirect_uri, created_at, expires_at
        FROM sign_in_flows`,
      ),
    async usage() {
      const rows = await database.read<
        Readonly<Record<string, unknown>>
      >(`SELECT user_id, at, model, input_tokens,
        output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, charged_usd, estimated_usd, estimated
        FROM usage ORDER BY no`)
      return rows.map((row) => Object.values(row))
    },
    vectors: () => readVectors(database),
    artifactIds: (threadId) =>
      bucket
        ? bucket.list(threadId)
        : column<string>('SELECT id AS value FROM artifacts WHERE thread_hash = $1 AND is_whole', [
            toThreadHash(threadId),
          ]),
    documents: () => readDocuments(store.documents),
  }
}

/** In parts, so that they are never all in memory. */
async function* readVectors(database: OpenTables['database']): AsyncGenerator<VectorContents> {
  for (let after = 0; ;) {
    const rows = await database.read<VectorContents & { readonly no: string }>(
      `SELECT no, user_id AS user, item, model, dimensions, signs, vector FROM memory_vectors
      WHERE no > $1 ORDER BY no LIMIT ${VECTORS_AT_ONCE}`,
      [after],
    )
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = Number(last.no)
  }
}
const VECTORS_AT_ONCE = 1_000

const USERS = [
  'threads',
  'usage',
  'approvals',
  'grants',
  'connections',
  'scopes',
  'action_effects',
  'memory_items',
  'memory_facts',
  'jobs',
]
  .map((table) => `SELECT user_id AS value FROM ${table}`)
  .join(' UNION ')
