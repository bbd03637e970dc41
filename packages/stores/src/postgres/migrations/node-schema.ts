/**
 * What nodes share beside the ledger: who is alive, what they ask of one another, documents such as settings, and limits.
 * The words of a command are removed with its answer; the row stays for a while, so that the same command sent again gets the
 * same answer.
 */
export const NODE_SCHEMA = `
CREATE TABLE nodes (
  id text PRIMARY KEY,
  role text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE commands (
  no bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  thread text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  kind text NOT NULL,
  body bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  answer bytea,
  is_refused boolean NOT NULL DEFAULT false,
  answered_at timestamptz,
  PRIMARY KEY (thread, id)
);
CREATE INDEX commands_open ON commands (thread, no) WHERE answered_at IS NULL;
CREATE INDEX commands_answered ON commands (answered_at) WHERE answered_at IS NOT NULL;

CREATE TABLE thread_attempts (
  thread text PRIMARY KEY,
  run text NOT NULL,
  attempts integer NOT NULL
);

CREATE TABLE documents (
  name text PRIMARY KEY,
  version bigint NOT NULL,
  body bytea NOT NULL
);

CREATE TABLE leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  until_at timestamptz NOT NULL
);

CREATE TABLE rate_buckets (
  name text PRIMARY KEY,
  tokens double precision NOT NULL,
  filled_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE recent_uses (
  name text PRIMARY KEY,
  times timestamptz[] NOT NULL,
  used_at timestamptz NOT NULL
);
`
