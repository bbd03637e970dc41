import type { Connection } from '../database/connection.ts'

/** `due_at`: when a job may be claimed. A job that was resumed waits for the run that is still ending. */
const JOB_SCHEMA = `
CREATE TABLE jobs (
  no INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  status TEXT NOT NULL,
  next_at REAL,
  attempts INTEGER NOT NULL,
  created_at REAL NOT NULL,
  started_at REAL,
  ended_at REAL,
  epoch INTEGER NOT NULL,
  lease_until REAL,
  owner TEXT,
  interruptions INTEGER NOT NULL,
  details TEXT NOT NULL,
  state TEXT NOT NULL,
  due_at REAL GENERATED ALWAYS AS (CASE status
    WHEN 'waiting' THEN max(next_at, coalesce(lease_until, next_at)) WHEN 'running' THEN lease_until END) VIRTUAL,
  UNIQUE (user_id, id)
) STRICT;
CREATE INDEX jobs_by_time ON jobs (user_id, created_at DESC, id);
CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_of_key ON jobs (user_id, key, due_at);
CREATE INDEX jobs_held ON jobs (user_id, key, lease_until) WHERE lease_until IS NOT NULL;
`

/** The fifteenth version: work without a person. */
export function addJobs({ db }: Connection): void {
  db.exec(JOB_SCHEMA)
}
