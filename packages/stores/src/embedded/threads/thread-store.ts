import { StoreError } from '@capstan/harness'
import { toDeleteLine } from '@capstan/harness/stores'
import type { ThreadStore } from '@capstan/harness/stores'
import type { ThreadRow } from '@capstan/protocol'
import type { GrantRows } from '../approvals/grant-rows.ts'
import type { CommitRows } from '../ledger/commit-records.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { Journal } from '../ledger/journal.ts'
import type { PageIndex } from '../ledger/page-index.ts'
import type { SearchRows } from './search-rows.ts'
import type { ThreadArtifacts } from '../../shared/artifacts/thread-artifacts.ts'
import type { UsageRows } from '../runs/usage-rows.ts'

export interface ThreadStoreParts {
  readonly journal: Journal
  readonly rows: CommitRows & {
    readonly grants: GrantRows
    readonly usage: UsageRows
    readonly search: SearchRows
  }
  /** Absent in a reader. */
  readonly index: PageIndex | undefined
  readonly artifacts: ThreadArtifacts
}

export function createThreadStore(
  { read, write }: StoreAccess,
  { journal, rows, index, artifacts }: ThreadStoreParts,
): ThreadStore {
  const { threads, search } = rows
  return {
    create({ id, userId, title = '', at }) {
      const { row, no } = write(() => {
        const there = threads.get(id)
        if (there) return { row: there }
        const made: ThreadRow = { id, userId, title: toColumn(title), createdAt: at, updatedAt: at }
        const number = threads.create(made)
        // A title that comes from the first question is found by the question.
        if (made.title !== '') search.setTitle(number, made.title)
        return { row: made, no: number }
      })
      // Only after the transaction: what was rolled back must not be cached.
      if (no !== undefined) threads.noteNew(row.id, row.userId, no)
      return row
    },
    get: (id) => read(() => threads.get(id)),
    list: ({ userId, archived = false, before = Infinity, limit = -1 }) =>
      read(() => threads.list({ userId, archived, before, limit })),
    rename: (id, title) =>
      write(() => {
        const clean = toColumn(title)
        if (clean === '') throw new StoreError('invalid', 'The title is blank.')
        const row = threads.get(id)
        if (!row) return false
        threads.update({ ...row, title: clean })
        search.setTitle(threads.noOf(id)!, clean)
        return true
      }),
    archive: (id, archivedAt) =>
      write(() => {
        const row = threads.get(id)
        if (!row) return false
        const { archivedAt: _before, ...rest } = row
        threads.update(archivedAt === undefined ? rest : { ...rest, archivedAt })
        return true
      }),
    setQueueMode: (id, queueMode) =>
      write(() => {
        const row = threads.get(id)
        if (!row) return false
        const { queueMode: _before, ...rest } = row
        threads.update(queueMode === undefined ? rest : { ...rest, queueMode })
        return true
      }),
    async delete(id, at = Date.now()) {
      // Otherwise its messages would be indexed after it was deleted.
      read(() => index?.catchUp())
      const isDeleted = write(() => {
        const row = threads.get(id)
        const no = threads.noOf(id)
        if (!row || no === undefined) return false
        journal.appendAudit([toDeleteLine(row, journal.delete(no), at)])
        for (const table of [
          rows.usage,
          search,
          rows.runs,
          rows.approvals,
          rows.grants,
          rows.media,
          rows.queue,
          threads,
        ]) {
          table.delete(no)
        }
        return true
      })
      threads.forget(id)
      if (isDeleted) await artifacts.delete(id)
      return isDeleted
    },
    async bytesOf(id) {
      const no = read(() => threads.noOf(id))
      if (no === undefined) return 0
      const stored = read(() => journal.bytesOf(no) + rows.media.bytesOf(no))
      return stored + (await artifacts.bytesOf(id))
    },
    withQueued: () => read(() => rows.queue.threads().flatMap((no) => threads.byNo(no) ?? [])),
    search: ({ userId, words, limit = -1 }) =>
      read(() => {
        index?.tryCatchUp()
        return search
          .find(userId, words, limit)
          .map(({ no, excerpt }) => ({ thread: threads.byNo(no)!, excerpt }))
      }),
  }
}

/** A column cannot hold half a character. */
const toColumn = (title: string): string => title.trim().toWellFormed()
