import type { ThreadId } from '@capstan/protocol'
import { createSharedFlush } from '../../shared/shared-flush.ts'
import type { SharedFlush } from '../../shared/shared-flush.ts'
import type { Query } from './requests.ts'

/** A page of the journal that was written, and may not be on the disk yet. */
interface WrittenPage {
  /** The number of its thread. */
  readonly thread: number
  readonly page: number
  readonly chain: number
  readonly no: number
}

/**
 * Flushes what was written, and looks whether it is still there: a server that crashed has lost what was not flushed, and
 * flushes the rest without a word.
 */
export interface CheckedFlush extends SharedFlush {
  /** The newest page of a thread. Those before it are lost with it or not at all. */
  notePage(threadId: ThreadId, page: WrittenPage): void
  /** Settles when the pages of this thread are on the disk. False: the newest of them are lost, and it is forgotten. */
  keepPages(threadId: ThreadId): Promise<boolean>
  forgetPages(threadId: ThreadId): void
}

/** `write` sends a statement, and repeats it when the connection is lost. */
export function createCheckedFlush(write: Query): CheckedFlush {
  const unsafe = new Map<ThreadId, WrittenPage>()
  const lost = new WeakSet<WrittenPage>()

  async function flush(): Promise<void> {
    const pages = [...unsafe].filter(([, page]) => !lost.has(page))
    const columns = (['thread', 'page', 'chain', 'no'] as const).map((name) =>
      pages.map(([, page]) => page[name]),
    )
    const [row] = await write<{ found: readonly number[] }>(FLUSH, columns)
    const found = new Set(row!.found)
    for (const [index, [threadId, page]] of pages.entries()) {
      if (!found.has(index + 1)) lost.add(page)
      else if (unsafe.get(threadId) === page) unsafe.delete(threadId)
    }
  }

  const shared = createSharedFlush(flush)
  return {
    ...shared,
    notePage(threadId, page) {
      unsafe.set(threadId, page)
      shared.note()
    },
    async keepPages(threadId) {
      const page = unsafe.get(threadId)
      await shared.wait()
      if (!page || !lost.has(page)) return true
      if (unsafe.get(threadId) === page) unsafe.delete(threadId)
      return false
    },
    forgetPages: (threadId) => void unsafe.delete(threadId),
  }
}

/**
 * A transaction that waits for the disk until everything before it is there, too. It writes a message into the log, because
 * PostgreSQL does not wait for a transaction that wrote nothing.
 */
const FLUSH = `SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'capstan', ''),
  ARRAY(SELECT n::integer FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
    WITH ORDINALITY AS written(thread, page, chain, no, n)
    WHERE EXISTS (SELECT FROM journal WHERE journal.thread = written.thread AND journal.page = written.page
      AND journal.chain = written.chain AND journal.no = written.no)) AS found`
