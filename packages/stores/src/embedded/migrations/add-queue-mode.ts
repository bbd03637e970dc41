import type { Connection } from '../database/connection.ts'

/** A thread may have a queue mode of its own. */
export function addQueueMode({ db }: Connection): void {
  db.exec('ALTER TABLE threads ADD COLUMN queue_mode TEXT')
}
