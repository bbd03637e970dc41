import type { Connection } from '../database/connection.ts'

/** What the model calls of deleted threads cost. Without it, deleting a thread would give back what it had spent. */
export function addKeptUsage({ db }: Connection): void {
  db.exec(`
CREATE TABLE kept_usage (
  user TEXT NOT NULL,
  at REAL NOT NULL,
  model TEXT NOT NULL,
  input_tokens REAL NOT NULL,
  output_tokens REAL NOT NULL,
  cached_input_tokens REAL NOT NULL,
  cache_write_tokens REAL NOT NULL,
  reasoning_tokens REAL NOT NULL,
  charged_usd REAL NOT NULL,
  estimated_usd REAL NOT NULL,
  estimated REAL NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_usage_by_user ON kept_usage (user, at);
`)
}
