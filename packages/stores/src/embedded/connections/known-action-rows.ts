import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'

/** Digests of action definitions a person has seen in use. */
export interface KnownActionRows {
  list(connectionId: string): Map<string, string>
  put(connectionId: string, action: string, digest: string): void
  /** Throws when a row is damaged. */
  check(): void
}

interface Row {
  readonly connection: string
  readonly action: string
  readonly digest: string
  readonly sum: number
}

export function createKnownActionRows(connection: Connection): KnownActionRows {
  const ofConnection = connection.prepare<Row>(
    'SELECT * FROM known_actions WHERE connection = ? ORDER BY action',
  )
  // Called after each use, mostly with known digests: then nothing is written.
  const put = connection.prepare(
    `INSERT INTO known_actions VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET digest = excluded.digest, sum = excluded.sum WHERE sum <> excluded.sum OR digest <> excluded.digest`,
  )
  const all = connection.prepare<Row>('SELECT * FROM known_actions')
  return {
    list: (connectionId) => new Map(ofConnection.all(connectionId).map(toEntry)),
    put(connectionId, action, digest) {
      put.run(connectionId, action, digest, sumOf(connectionId, action, digest))
    },
    check() {
      for (const row of all.compiled().iterate() as Iterable<unknown>) toEntry(row as Row)
    },
  }
}

const sumOf = (...texts: readonly string[]): number =>
  checksum(JSON.stringify(texts.map((text) => text.toWellFormed())))

function toEntry({ connection, action, digest, sum }: Row): [action: string, digest: string] {
  refuseDamage(sumOf(connection, action, digest) === sum, 'a known action')
  return [action, digest]
}
