import type { Connection } from '../database/connection.ts'

/**
 * Vectors of items. Numbers are never given twice, because searches know rows by them. The index holds the signs as well, so
 * that reading those of a user touches no vector. `vector_model`: by which model an item was embedded.
 */
const VECTOR_SCHEMA = `
ALTER TABLE memory_items ADD COLUMN vector_model TEXT NOT NULL DEFAULT '';
CREATE INDEX memory_items_by_vectors ON memory_items (user, vector_model);
CREATE TABLE memory_vectors (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  user TEXT NOT NULL,
  item TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  signs BLOB NOT NULL,
  vector BLOB NOT NULL
) STRICT;
CREATE INDEX memory_vectors_of_item ON memory_vectors (user, item);
CREATE INDEX memory_vectors_by_signs ON memory_vectors (user, model, dimensions, no, signs);
`

/** Items are found in other words. */
export function addVectors({ db }: Connection): void {
  db.exec(VECTOR_SCHEMA)
}
