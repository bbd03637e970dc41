import type { Connection } from '../database/connection.ts'

/**
 * Grants take the place of the list of tools that were always allowed. That list knew only a user and a name, and the
 * same name may belong to an app or to another version of the tool. So nothing of it is carried over: a person is asked
 * once more.
 */
const GRANTS = `
DROP TABLE always_allowed;
CREATE TABLE grants (
  user TEXT NOT NULL,
  id TEXT NOT NULL,
  tool TEXT NOT NULL,
  thread INTEGER,
  created_at REAL NOT NULL,
  expires_at REAL,
  body TEXT NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (user, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_of_tool ON grants (user, tool);
CREATE INDEX grants_of_thread ON grants (thread) WHERE thread IS NOT NULL;
CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE expires_at IS NOT NULL;
ALTER TABLE approvals ADD COLUMN terms TEXT;
`

/** The seventh version: grants, and what an approval says about them. */
export function addGrants({ db }: Connection): void {
  db.exec(GRANTS)
}
