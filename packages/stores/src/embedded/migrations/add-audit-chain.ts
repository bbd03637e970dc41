import type { Connection } from '../database/connection.ts'

/**
 * The sixth version: pages form a chain. `mac` seals a page together with the one before it. `digest` replaces the body
 * of a page whose thread was deleted, so that the chain can still be checked. `chain_head` says where the chain starts
 * and how far it is known to reach.
 */
export function addAuditChain({ db }: Connection): void {
  db.exec(`
ALTER TABLE journal ADD COLUMN mac BLOB;
ALTER TABLE journal ADD COLUMN digest BLOB;
CREATE TABLE chain_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  first INTEGER NOT NULL,
  before BLOB NOT NULL,
  page INTEGER NOT NULL,
  seal BLOB NOT NULL
) STRICT;
`)
}
