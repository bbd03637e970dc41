import type { Connection } from '../database/connection.ts'

/** What was said to a running turn and has not reached the model yet: only where, for the words are in the journal. */
export interface QueueRows {
  add(thread: number, id: string): void
  remove(thread: number, id: string): void
  /** Threads with anything in it, by number. */
  threads(): readonly number[]
  delete(thread: number): void
}

export function createQueueRows(connection: Connection): QueueRows {
  const add = connection.prepare('INSERT OR IGNORE INTO queue VALUES (?, ?)')
  const remove = connection.prepare('DELETE FROM queue WHERE thread = ? AND id = ?')
  const threads = connection.prepare<{ readonly thread: number }>(
    'SELECT DISTINCT thread FROM queue ORDER BY thread',
  )
  const forget = connection.prepare('DELETE FROM queue WHERE thread = ?')
  return {
    add: (thread, id) => void add.run(thread, id),
    remove: (thread, id) => void remove.run(thread, id),
    threads: () => threads.all().map(({ thread }) => thread),
    delete: (thread) => void forget.run(thread),
  }
}
