import type { Connection } from '../database/connection.ts'

/** A page of a list is read from an index in its order: nothing is sorted, and only the rows of the page are read. */
const LIST_INDEXES = `
CREATE INDEX threads_of_user ON threads (user, (archived_at IS NOT NULL), updated_at);
CREATE INDEX runs_of_user ON runs (user, started_at);
`

/** The fifth version: indexes for the lists of threads and runs. */
export function addListIndexes({ db }: Connection): void {
  db.exec(LIST_INDEXES)
}
