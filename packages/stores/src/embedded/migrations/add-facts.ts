import type { Connection } from '../database/connection.ts'

const FACT_SCHEMA = `
CREATE TABLE memory_facts (
  user TEXT NOT NULL,
  id TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user, id)
) STRICT;
`

/** Facts about people. */
export function addFacts({ db }: Connection): void {
  db.exec(FACT_SCHEMA)
}
