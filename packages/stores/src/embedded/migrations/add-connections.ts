import type { Connection } from '../database/connection.ts'

/**
 * Connected apps. A toolkit has one default for each user. Secrets are ciphertext, with the name of the key they need;
 * `bound_to` is the user and toolkit of the connection when the secret was written.
 */
const CONNECTION_SCHEMA = `
CREATE TABLE connections (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  user TEXT NOT NULL,
  connector TEXT NOT NULL,
  toolkit TEXT NOT NULL,
  status TEXT NOT NULL,
  label TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  reason TEXT,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX connections_of_user ON connections (user, created_at);
CREATE UNIQUE INDEX connections_default ON connections (user, toolkit) WHERE is_default = 1;

CREATE TABLE sign_in_flows (
  state_hash TEXT PRIMARY KEY,
  connection TEXT NOT NULL,
  user TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  created_at REAL NOT NULL,
  expires_at REAL NOT NULL,
  sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scopes (
  user TEXT NOT NULL,
  toolkit TEXT NOT NULL,
  read INTEGER NOT NULL,
  write INTEGER NOT NULL,
  admin INTEGER NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (user, toolkit)
) STRICT, WITHOUT ROWID;

CREATE TABLE known_actions (
  connection TEXT NOT NULL,
  action TEXT NOT NULL,
  digest TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (connection, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
  connection TEXT PRIMARY KEY,
  bound_to TEXT,
  key TEXT NOT NULL,
  locked BLOB NOT NULL
) STRICT;
`

/** The third version: connected apps, sign-ins that are under way, and secrets. */
export function addConnections({ db }: Connection): void {
  db.exec(CONNECTION_SCHEMA)
}
