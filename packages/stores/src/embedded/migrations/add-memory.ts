import type { Connection } from '../database/connection.ts'

/**
 * The index holds keys of terms instead of words, each with its user in it, and no texts. `terms_sum` tells whether the
 * terms of an item are still the ones it was indexed by.
 */
const MEMORY_SCHEMA = `
CREATE TABLE memory_items (
  no INTEGER PRIMARY KEY,
  user TEXT NOT NULL,
  id TEXT NOT NULL,
  app TEXT NOT NULL,
  account TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  terms_sum INTEGER NOT NULL,
  UNIQUE (user, id)
) STRICT;
CREATE INDEX memory_items_by_time ON memory_items (user, at DESC, id);
CREATE INDEX memory_items_by_source ON memory_items (user, app, account);
CREATE TABLE memory_terms (key INTEGER PRIMARY KEY, items INTEGER NOT NULL) STRICT;
CREATE VIRTUAL TABLE memory_index USING fts5(terms, content='', columnsize=0, detail=none, tokenize=ascii);
INSERT INTO memory_index (memory_index, rank) VALUES ('secure-delete', 1);
`

/** The thirteenth version: items of apps, and how they are found. */
export function addMemory({ db }: Connection): void {
  db.exec(MEMORY_SCHEMA)
}
