/**
 * The first version. The journal is the truth: one row per commit, only ever appended, without an index of its own so
 * that a commit touches as few pages of the file as can be. `pages` and `usage` follow it in batches, up to the row
 * named in `progress`; later pages are read from the journal's end. Threads, runs and approvals are written
 * together with the journal, because the next commit is checked against them.
 */
export const LEDGER_SCHEMA = `
CREATE TABLE journal (
  id INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  kinds INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE pages (
  thread INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (thread, last_seq, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage (
  thread INTEGER NOT NULL,
  at REAL NOT NULL,
  page INTEGER NOT NULL,
  n INTEGER NOT NULL,
  model TEXT NOT NULL,
  input_tokens REAL NOT NULL,
  output_tokens REAL NOT NULL,
  cached_input_tokens REAL NOT NULL,
  cache_write_tokens REAL NOT NULL,
  reasoning_tokens REAL NOT NULL,
  charged_usd REAL NOT NULL,
  estimated_usd REAL NOT NULL,
  estimated REAL NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (thread, at, page, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE progress (
  name TEXT PRIMARY KEY,
  page INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO progress VALUES ('indexed', 0);

CREATE TABLE threads (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  user TEXT NOT NULL,
  title TEXT NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  archived_at REAL,
  sum INTEGER NOT NULL
) STRICT;

CREATE TABLE runs (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  thread INTEGER NOT NULL,
  user TEXT NOT NULL,
  root TEXT NOT NULL,
  depth INTEGER NOT NULL,
  status TEXT NOT NULL,
  started_at REAL NOT NULL,
  message_id TEXT,
  waits_for TEXT,
  from_seq INTEGER NOT NULL,
  row TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_of_thread ON runs (thread, started_at);
CREATE UNIQUE INDEX runs_by_message ON runs (thread, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX runs_unfinished ON runs (status) WHERE status IN ('running', 'waiting');
CREATE INDEX runs_waiting ON runs (waits_for) WHERE waits_for IS NOT NULL;

CREATE TABLE approvals (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  thread INTEGER NOT NULL,
  thread_id TEXT NOT NULL,
  user TEXT NOT NULL,
  run TEXT NOT NULL,
  call TEXT NOT NULL,
  tool TEXT NOT NULL,
  label TEXT NOT NULL,
  arguments TEXT,
  digest TEXT NOT NULL,
  signature TEXT NOT NULL,
  created_at REAL NOT NULL,
  expires_at REAL NOT NULL,
  seal BLOB NOT NULL,
  decision TEXT,
  decided_at REAL,
  decision_seal BLOB
) STRICT;
CREATE INDEX approvals_of_run ON approvals (run, call);
CREATE INDEX approvals_of_thread ON approvals (thread);
CREATE INDEX approvals_of_user ON approvals (user, created_at);
CREATE INDEX approvals_open ON approvals (expires_at) WHERE decision IS NULL;
CREATE TABLE always_allowed (
  user TEXT NOT NULL,
  tool TEXT NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (user, tool)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue (
  thread INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (thread, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE media (
  thread INTEGER NOT NULL,
  ref TEXT NOT NULL,
  bytes BLOB NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (thread, ref)
) STRICT;
`

/**
 * Titles, questions and answers. A row's number is its thread's times 2^20, plus its place in it; 0 is the title. What
 * is deleted is erased at once, and not when the index is next merged.
 */
export const SEARCH_SCHEMA = `
CREATE VIRTUAL TABLE search USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
`
