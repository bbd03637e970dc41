import type { ThreadId } from '@capstan/protocol'
import type { Choice, Contents, VectorContents } from './contents.ts'
import { isDocument, readFolderDocuments } from './documents.ts'
import { openSecret, secretIds } from './secrets.ts'
import { rowsOf } from './source.ts'
import type { Source } from './source.ts'
import { usageRows } from './tables/usage.ts'

/** The folder as one side of a move. Secrets that cannot be opened are left out: nobody can compare them. */
export function createSourceContents(source: Source): Contents {
  const { connection, store, artifacts } = source
  const all = async <Row>(sql: string): Promise<Row[]> => [...rowsOf<Row>(connection, sql)]
  const column = async <Value>(sql: string): Promise<Value[]> =>
    (await all<{ value: Value }>(sql)).map(({ value }) => value)
  return {
    store,
    users: () => column<string>(USERS),
    threadIds: () => column<ThreadId>('SELECT id AS value FROM threads ORDER BY no'),
    connectionIds: () => column<string>('SELECT id AS value FROM connections ORDER BY no'),
    choices: () =>
      all<Choice>('SELECT user, toolkit FROM scopes UNION SELECT user, toolkit FROM action_effects'),
    secretIds: async () => secretIds(source).filter((id) => !isDocument(id) && openSecret(source, id)),
    signIns: () =>
      all(
        'SELECT state_hash, connection, user, browser_hash, redirect_uri, created_at, expires_at FROM sign_in_flows',
      ),
    usage: async () => [...usageRows(source)].map(([_thread, ...row]) => row),
    vectors: () =>
      rowsOf<VectorContents>(
        connection,
        'SELECT user, item, model, dimensions, signs, vector FROM memory_vectors ORDER BY no',
      ),
    artifactIds: (threadId) => artifacts.list(threadId),
    documents: async () => readFolderDocuments(source),
  }
}

const USERS = [
  'threads',
  'kept_usage',
  'approvals',
  'grants',
  'connections',
  'scopes',
  'action_effects',
  'memory_items',
  'memory_facts',
]
  .map((table) => `SELECT user AS value FROM ${table}`)
  .concat('SELECT user_id AS value FROM jobs')
  .join(' UNION ')
