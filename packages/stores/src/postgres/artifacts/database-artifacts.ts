import { createHash, randomBytes } from 'node:crypto'
import { BLOCK_BYTES, createArtifactWriter, cutSlice, toFetchRange } from '@capstan/harness/stores'
import type { ArtifactStore } from '@capstan/harness/stores'
import type { RestorableArtifacts } from '../../shared/artifacts/thread-artifacts.ts'
import type { Database, Query } from '../database/database.ts'

/** Keeps artifacts as blocks of one size, so that a part is read without the rest. */
export function createDatabaseArtifacts(database: Database): ArtifactStore & RestorableArtifacts {
  const restore = (threadId: string, id: string) => {
    let blocks = 0
    let bytes = 0
    return createArtifactWriter(id, {
      async append(block) {
        if (blocks === 0) await database.writeLazily(INSERT, [id, toThreadHash(threadId)])
        const sql = 'INSERT INTO artifact_blocks VALUES ($1, $2, $3) ON CONFLICT DO NOTHING'
        await database.writeLazily(sql, [id, blocks++, block])
        bytes += block.length
      },
      async finish() {
        if (blocks === 0) await database.writeLazily(INSERT, [id, toThreadHash(threadId)])
        await database.writeLazily('UPDATE artifacts SET is_whole = true, bytes = $2 WHERE id = $1', [
          id,
          bytes,
        ])
      },
      async remove() {
        await database.writeLazily('DELETE FROM artifacts WHERE id = $1', [id])
      },
    })
  }
  return {
    restore,
    create: ({ threadId }) => restore(threadId, randomBytes(16).toString('base64url')),
    async read(threadId, id, range) {
      const [artifact] = await database.read<{ bytes: number }>(
        'SELECT bytes FROM artifacts WHERE id = $1 AND thread_hash = $2 AND is_whole',
        [id, toThreadHash(threadId)],
      )
      if (!artifact) return undefined
      const { from, to } = toFetchRange(range, artifact.bytes)
      const first = Math.floor(from / BLOCK_BYTES)
      const blocks = await database.read<{ bytes: Buffer }>(
        'SELECT bytes FROM artifact_blocks WHERE artifact = $1 AND n BETWEEN $2 AND $3 ORDER BY n',
        [id, first, Math.floor(Math.max(from, to - 1) / BLOCK_BYTES)],
      )
      const start = first * BLOCK_BYTES
      const fetched = Buffer.concat(blocks.map((block) => block.bytes)).subarray(from - start, to - start)
      return cutSlice(fetched, from, range.maxBytes, artifact.bytes)
    },
  }
}

const INSERT = 'INSERT INTO artifacts (id, thread_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING'

/** The name of a thread may hold anything. */
export const toThreadHash = (threadId: string): Buffer => createHash('sha256').update(threadId).digest()

/** Deletes the artifacts of a thread, in the open transaction. */
export async function deleteArtifacts(query: Query, threadId: string): Promise<void> {
  await query('DELETE FROM artifacts WHERE thread_hash = $1', [toThreadHash(threadId)])
}

/** Deletes what nodes left that ended while they wrote. */
export async function deleteUnfinishedArtifacts(database: Database): Promise<void> {
  await database.writeLazily(
    `DELETE FROM artifacts WHERE NOT is_whole AND created_at < now() - interval '1 day'`,
  )
}
