import type { Connection } from '../database/connection.ts'

/** Ids of messages to a running turn that have not reached the model. The messages are in the journal. */
export interface QueueRows {
  add(thread: number, id: string): void
  remove(thread: number, id: string): void
  /** Numbers of the threads with queued messages. */
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
