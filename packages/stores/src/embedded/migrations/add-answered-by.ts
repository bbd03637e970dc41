import type { Connection } from '../database/connection.ts'

/** An answer keeps the id of the message that gave it. */
export function addAnsweredBy({ db }: Connection): void {
  db.exec(`ALTER TABLE approvals ADD COLUMN answered_by TEXT;
    CREATE INDEX approvals_by_answer ON approvals (answered_by) WHERE answered_by IS NOT NULL`)
}
