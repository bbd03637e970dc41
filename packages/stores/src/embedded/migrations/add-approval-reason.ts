import type { Connection } from '../database/connection.ts'

/** The ninth version: an approval keeps why it was asked, as JSON. */
export function addApprovalReason({ db }: Connection): void {
  db.exec('ALTER TABLE approvals ADD COLUMN reason TEXT')
}
