/**
 * The journal is the truth: one row per commit, only ever appended. `page` counts the commits of a thread; a commit is
 * refused unless the thread has exactly the pages its writer knows. `chain` and `no` name the row in the audit chain of its
 * writer; rows of no thread have the negative number of their chain as `thread`.
 *
 * Rows of `usage` stay when their thread is deleted, so that what was spent is not given back.
 *
 * `owner` and `epoch` of a thread say which node may write to it. `last_seq` and `pages` change with each commit and are in
 * no index, and a block keeps room for them, so that PostgreSQL changes a row in place.
 */
export const LEDGER_SCHEMA = `
CREATE TABLE threads (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  user_id text NOT NULL,
  title text NOT NULL,
  created_at double precision NOT NULL,
  updated_at double precision NOT NULL,
  archived_at double precision,
  queue_mode text,
  last_seq bigint NOT NULL DEFAULT 0,
  pages bigint NOT NULL DEFAULT 0,
  owner text,
  epoch bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX threads_of_user ON threads (user_id, (archived_at IS NOT NULL), updated_at, no);

CREATE TABLE journal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  thread bigint NOT NULL,
  page bigint NOT NULL,
  last_seq bigint NOT NULL,
  kinds integer NOT NULL,
  body text NOT NULL,
  chain bigint NOT NULL,
  no bigint NOT NULL,
  mac bytea NOT NULL,
  digest bytea
);
CREATE UNIQUE INDEX journal_of_thread ON journal (thread, page);

CREATE TABLE chains (
  no bigint PRIMARY KEY,
  node text NOT NULL,
  opened_at double precision NOT NULL,
  seal bytea NOT NULL,
  reach bigint NOT NULL,
  reach_seal bytea NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE facts (
  name text PRIMARY KEY,
  value text NOT NULL,
  seal bytea
);

CREATE TABLE runs (
  no bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  id text PRIMARY KEY,
  thread bigint NOT NULL,
  user_id text NOT NULL,
  root text NOT NULL,
  depth integer NOT NULL,
  status text NOT NULL,
  started_at double precision NOT NULL,
  message_id text,
  waits_for text,
  from_seq bigint NOT NULL,
  body text NOT NULL
);
CREATE INDEX runs_of_turn ON runs (thread, root);
CREATE INDEX runs_of_user ON runs (user_id, started_at, no);
CREATE INDEX runs_of_thread ON runs (thread, started_at, no);
CREATE UNIQUE INDEX runs_by_message ON runs (thread, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX runs_unfinished ON runs (started_at, no) WHERE depth = 0 AND status IN ('running', 'waiting');
CREATE INDEX runs_waiting ON runs (waits_for) WHERE waits_for IS NOT NULL;

CREATE TABLE usage (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  thread bigint NOT NULL,
  user_id text NOT NULL,
  at double precision NOT NULL,
  model text NOT NULL,
  input_tokens double precision NOT NULL,
  output_tokens double precision NOT NULL,
  cached_input_tokens double precision NOT NULL,
  cache_write_tokens double precision NOT NULL,
  reasoning_tokens double precision NOT NULL,
  charged_usd double precision NOT NULL,
  estimated_usd double precision NOT NULL,
  estimated boolean NOT NULL
);
CREATE INDEX usage_of_thread ON usage (thread);
CREATE INDEX usage_of_user ON usage (user_id, at);

CREATE TABLE queue (
  thread bigint NOT NULL,
  id text NOT NULL,
  PRIMARY KEY (thread, id)
);
CREATE TABLE media (
  thread bigint NOT NULL,
  ref text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (thread, ref)
);
ALTER TABLE media ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE artifacts (
  id text PRIMARY KEY,
  thread_hash bytea NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  is_whole boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX artifacts_of_thread ON artifacts (thread_hash);
CREATE INDEX artifacts_unfinished ON artifacts (created_at) WHERE NOT is_whole;
CREATE TABLE artifact_blocks (
  artifact text NOT NULL REFERENCES artifacts ON DELETE CASCADE,
  n bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (artifact, n)
);
ALTER TABLE artifact_blocks ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE search (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  thread bigint NOT NULL,
  user_id text NOT NULL,
  is_title boolean NOT NULL,
  text text NOT NULL,
  words tsvector NOT NULL,
  unspaced text
);
CREATE INDEX search_of_thread ON search (thread);
CREATE INDEX search_words ON search USING gin (words);
`
