import type { Connection } from '../database/connection.ts'

/** The fourth version: a connection keeps why it cannot be used as a code, beside the words. */
export function addReasonCode({ db }: Connection): void {
  db.exec('ALTER TABLE connections ADD COLUMN reason_code TEXT')
}
