/**
 * Work without a person. `due_at`: when a job may be claimed. A job that was resumed waits for the run that is still ending.
 */
export const JOB_SCHEMA = `
CREATE TABLE jobs (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  status text NOT NULL,
  next_at double precision,
  attempts integer NOT NULL,
  created_at double precision NOT NULL,
  started_at double precision,
  ended_at double precision,
  epoch bigint NOT NULL,
  lease_until double precision,
  owner text,
  interruptions integer NOT NULL,
  details text NOT NULL,
  state text NOT NULL,
  due_at double precision GENERATED ALWAYS AS (CASE status
    WHEN 'waiting' THEN greatest(next_at, lease_until) WHEN 'running' THEN lease_until END) STORED,
  UNIQUE (user_id, id)
);
CREATE INDEX jobs_by_time ON jobs (user_id, created_at DESC, id COLLATE "C");
CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_of_key ON jobs (user_id, key, due_at);
CREATE INDEX jobs_held ON jobs (user_id, key, lease_until) WHERE lease_until IS NOT NULL;
`
