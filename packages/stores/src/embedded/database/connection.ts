import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'

/** One connection to the file. Statements are compiled when they are first used, and then kept. */
export interface Connection {
  readonly db: DatabaseSync
  readonly isReadOnly: boolean
  prepare<Row = unknown>(sql: string): Statement<Row>
  /** Runs the work in one transaction, or as a part of the one that is open. */
  transaction<Value>(work: () => Value): Value
  /** How many transactions were undone. What is kept in memory about a row holds only as long as this stays the same. */
  readonly undone: number
  close(): void
}

interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined
  all(...values: SQLInputValue[]): Row[]
  run(...values: SQLInputValue[]): number
  /** For hot paths. */
  compiled(): StatementSync
}

// How long a checkpoint or a reader's recovery may hold a lock. No other process writes.
const LOCK_WAIT_MS = 2_000
const NUMBERED = /\?\d/

export function openConnection(path: string, { isReadOnly = false } = {}): Connection {
  const db = new DatabaseSync(path, { readOnly: isReadOnly, timeout: LOCK_WAIT_MS })
  const begin = lazily(() => db.prepare('BEGIN IMMEDIATE'))
  const commit = lazily(() => db.prepare('COMMIT'))
  const bindsNumbers = lazily(() => canBindNumbers(db))
  let undone = 0
  return {
    db,
    isReadOnly,
    prepare<Row>(sql: string): Statement<Row> {
      const compiled = lazily(() => db.prepare(sql))
      if (NUMBERED.test(sql) && !bindsNumbers()) return bindByName(compiled)
      return {
        get: (...values) => compiled().get(...values) as Row | undefined,
        all: (...values) => compiled().all(...values) as Row[],
        run: (...values) => Number(compiled().run(...values).changes),
        compiled,
      }
    },
    transaction(work) {
      if (db.isTransaction) return work()
      begin().run()
      try {
        const value = work()
        commit().run()
        return value
      } catch (error) {
        undone++
        // A full disk may have ended the transaction already.
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
    get undone() {
      return undone
    },
    close() {
      if (db.isOpen) db.close()
    },
  }
}

/** Node 22 takes `?1` for a name, which values in a row do not reach. */
function canBindNumbers(db: DatabaseSync): boolean {
  try {
    return db.prepare('SELECT ?1').get(1) !== undefined
  } catch {
    return false
  }
}

function bindByName<Row>(compiled: () => StatementSync): Statement<Row> {
  const named = (values: readonly SQLInputValue[]) =>
    Object.fromEntries(values.map((value, index) => [`?${index + 1}`, value]))
  return {
    get: (...values) => compiled().get(named(values)) as Row | undefined,
    all: (...values) => compiled().all(named(values)) as Row[],
    run: (...values) => Number(compiled().run(named(values)).changes),
    compiled,
  }
}

function lazily<Value>(create: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= create())
}
