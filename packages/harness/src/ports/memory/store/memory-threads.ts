import type { ThreadId } from '@capstan/protocol'
import { StoreError } from '../../../turn/errors.ts'
import { toDeleteLine } from '../../rows/audit-line.ts'
import type { ThreadStore } from '../../store.ts'
import { searchThreads } from './search-threads.ts'
import type { Tables, ThreadTable } from './tables.ts'

/** The threads of a store in memory. */
export function createMemoryThreads(
  open: () => Tables,
  forgetArtifacts: (threadId: ThreadId) => void,
): ThreadStore {
  const of = (userId: string): ThreadTable[] =>
    [...open().threads.values()].filter(({ row }) => row.userId === userId)

  return {
    create({ id, userId, title = '', at }) {
      const { threads } = open()
      const there = threads.get(id)
      if (there) return { ...there.row }
      const thread: ThreadTable = {
        row: { id, userId, title: title.trim(), createdAt: at, updatedAt: at },
        pages: [],
        events: [],
        runs: [],
        usages: [],
        byMessage: new Map(),
        media: new Map(),
        approvalIds: [],
        queued: new Set(),
        searchable: [],
      }
      threads.set(id, thread)
      return { ...thread.row }
    },
    get(id) {
      const thread = open().threads.get(id)
      return thread && { ...thread.row }
    },
    list({ userId, archived = false, before = Infinity, limit }) {
      const rows = of(userId).map(({ row }) => row)
      return rows
        .filter((row) => (row.archivedAt !== undefined) === archived && row.updatedAt < before)
        .toReversed()
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, limit)
        .map((row) => ({ ...row }))
    },
    rename(id, title) {
      const thread = open().threads.get(id)
      if (title.trim() === '') throw new StoreError('invalid', 'the title is blank')
      if (!thread) return false
      thread.row = { ...thread.row, title: title.trim() }
      return true
    },
    archive(id, archivedAt) {
      const thread = open().threads.get(id)
      if (!thread) return false
      const { archivedAt: _before, ...row } = thread.row
      thread.row = archivedAt === undefined ? row : { ...row, archivedAt }
      return true
    },
    setQueueMode(id, queueMode) {
      const thread = open().threads.get(id)
      if (!thread) return false
      const { queueMode: _before, ...row } = thread.row
      thread.row = queueMode === undefined ? row : { ...row, queueMode }
      return true
    },
    delete(id, at = Date.now()) {
      const tables = open()
      const thread = tables.threads.get(id)
      if (!thread) return false
      for (const run of thread.runs) tables.runs.delete(run.row.id)
      for (const approvalId of thread.approvalIds) tables.approvals.delete(approvalId)
      for (const grants of tables.grants.values())
        for (const grant of grants.values())
          if (grant.lifetime === 'thread' && grant.threadId === id) grants.delete(grant.id)
      const { userId } = thread.row
      tables.keptUsages.set(userId, [...(tables.keptUsages.get(userId) ?? []), ...thread.usages])
      tables.threads.delete(id)
      tables.audit.push(toDeleteLine(thread.row, thread.pages.length, at))
      forgetArtifacts(id)
      return true
    },
    bytesOf(id) {
      const thread = open().threads.get(id)
      if (!thread) return 0
      const media = [...thread.media.values()].reduce((sum, { length }) => sum + length, 0)
      return thread.pages.reduce((sum, page) => sum + JSON.stringify(page).length, media)
    },
    withQueued: () =>
      [...open().threads.values()].filter(({ queued }) => queued.size > 0).map(({ row }) => ({ ...row })),
    search: ({ userId, words, limit }) => searchThreads(of(userId), words).slice(0, limit),
  }
}
