import { checkFactText } from '@capstan/harness/stores'
import type { UserFacts } from '@capstan/harness/stores'
import { MAX_FACTS } from '@capstan/protocol'
import { toFact, toFactBody } from '../../shared/memory/fact-columns.ts'
import type { FactColumns } from '../../shared/memory/fact-columns.ts'
import type { Connection } from '../database/connection.ts'
import type { StoreAccess } from '../database/store-access.ts'

/** Facts on SQLite. */
export function createUserFacts(
  access: StoreAccess,
  connection: Connection,
  changed: (bytes: number) => void,
): UserFacts {
  const rows = prepareRows(connection)
  function write<Value>(work: () => Value): Value {
    const value = access.write(work)
    changed(BYTES_PER_FACT)
    return value
  }
  return {
    add: (userId, fact) =>
      write(() => {
        checkFactText(fact.text)
        if (rows.get.get(userId, fact.id)) return 'known'
        if ((rows.count.get(userId)?.count ?? 0) >= MAX_FACTS) return 'full'
        const { id, status, createdAt, changedAt } = fact
        rows.insert.run(userId, id, status, createdAt, changedAt, toFactBody(fact))
        return 'added'
      }),
    get: (userId, id) =>
      access.read(() => {
        const row = rows.get.get(userId, id)
        return row && toFact(row)
      }),
    list: (userId, { status = null } = {}) => access.read(() => rows.list.all(userId, status).map(toFact)),
    change: (userId, id, { at, ...change }) =>
      write(() => {
        if (change.text !== undefined) checkFactText(change.text)
        const row = rows.get.get(userId, id)
        if (!row) return undefined
        const fact = { ...toFact(row), ...change, changedAt: at }
        rows.change.run(fact.status, at, toFactBody(fact), userId, id)
        return fact
      }),
    remove: (userId, ids) => write(() => ids.reduce((count, id) => count + rows.remove.run(userId, id), 0)),
    removeAll: (userId) => write(() => rows.removeAll.run(userId)),
  }
}

const BYTES_PER_FACT = 1024

function prepareRows(connection: Connection) {
  return {
    get: connection.prepare<FactColumns>('SELECT * FROM memory_facts WHERE user = ? AND id = ?'),
    count: connection.prepare<{ readonly count: number }>(
      'SELECT count(*) AS count FROM memory_facts WHERE user = ?',
    ),
    list: connection.prepare<FactColumns>(
      `SELECT * FROM memory_facts WHERE user = ?1 AND (?2 IS NULL OR status = ?2)
      ORDER BY created_at DESC, id`,
    ),
    insert: connection.prepare(
      'INSERT INTO memory_facts (user, id, status, created_at, changed_at, body) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    change: connection.prepare(
      'UPDATE memory_facts SET status = ?, changed_at = ?, body = ? WHERE user = ? AND id = ?',
    ),
    remove: connection.prepare('DELETE FROM memory_facts WHERE user = ? AND id = ?'),
    removeAll: connection.prepare('DELETE FROM memory_facts WHERE user = ?'),
  }
}
