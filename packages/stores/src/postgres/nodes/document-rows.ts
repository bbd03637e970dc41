import type { Database } from '../database/database.ts'
import type { LockedTexts } from './locked-texts.ts'

/** A document that nodes share. */
export interface DocumentRow {
  readonly name: string
  readonly version: number
  /** Undefined when it is not what was written. */
  readonly text: string | undefined
}

/** Documents that nodes share, such as settings and logins. All are locked before they reach PostgreSQL. */
export interface DocumentRows {
  versions(): Promise<ReadonlyMap<string, number>>
  read(names: readonly string[]): Promise<readonly DocumentRow[]>
  /**
   * Replaces the text of this version, 0 for none. False when there is another version by now; nothing changes then. When
   * it settles, the change survives a power cut.
   */
  write(name: string, version: number, text: string): Promise<boolean>
}

interface Columns {
  readonly name: string
  readonly version: string
  readonly body: Uint8Array
}

export function createDocumentRows(database: Database, texts: LockedTexts): DocumentRows {
  // With its version: an old text that somebody puts back is not opened.
  const aboutOf = (name: string, version: number): readonly unknown[] => ['document', name, version]
  const open = ({ name, version, body }: Columns): DocumentRow => {
    const about = aboutOf(name, Number(version))
    return { name, version: Number(version), text: texts.unlock(about, body) }
  }
  return {
    async versions() {
      const rows = await database.read<Columns>('SELECT name, version FROM documents')
      return new Map(rows.map(({ name, version }) => [name, Number(version)]))
    },
    async read(names) {
      if (names.length === 0) return []
      const sql = 'SELECT name, version, body FROM documents WHERE name = ANY($1)'
      return (await database.read<Columns>(sql, [names])).map(open)
    },
    async write(name, version, text) {
      const body = texts.lock(aboutOf(name, version + 1), text)
      const done = await database.transaction((query) =>
        version === 0
          ? query('INSERT INTO documents VALUES ($1, 1, $2) ON CONFLICT DO NOTHING RETURNING name', [
              name,
              body,
            ])
          : query(
              'UPDATE documents SET version = version + 1, body = $3 WHERE name = $1 AND version = $2 RETURNING name',
              [name, version, body],
            ),
      )
      return done.length > 0
    },
  }
}
