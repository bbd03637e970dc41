import type { Connection } from '../database/connection.ts'

/** What users set for actions of an app. Old files have no choices, so nothing in them becomes wider. */
export function addActionEffects({ db }: Connection): void {
  db.exec(`
CREATE TABLE action_effects (
  user TEXT NOT NULL,
  toolkit TEXT NOT NULL,
  action TEXT NOT NULL,
  effect TEXT NOT NULL,
  digest TEXT NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (user, toolkit, action)
) STRICT, WITHOUT ROWID;
`)
}
