import { checkFactText } from '@capstan/harness/stores'
import type { UserFacts } from '@capstan/harness/stores'
import { MAX_FACTS } from '@capstan/protocol'
import { toFact, toFactBody } from '../../shared/memory/fact-columns.ts'
import type { FactColumns } from '../../shared/memory/fact-columns.ts'
import type { Database, Query } from '../database/database.ts'

/** Facts on PostgreSQL. */
export function createUserFacts(database: Database): UserFacts {
  /** The changes of one user come one after the other, so that the count of facts holds. */
  const change = <Value>(userId: string, work: (query: Query) => Promise<Value>): Promise<Value> =>
    database.transaction(async (query) => {
      await query(`SELECT pg_advisory_xact_lock(hashtextextended('capstan facts ' || $1, 0))`, [userId])
      return work(query)
    })
  const removeRows = (userId: string, condition: string, values: readonly unknown[]): Promise<number> =>
    change(userId, async (query) => {
      const gone = await query(`DELETE FROM memory_facts WHERE user_id = $1 ${condition} RETURNING id`, [
        userId,
        ...values,
      ])
      return gone.length
    })
  return {
    async add(userId, fact) {
      checkFactText(fact.text)
      return change(userId, async (query) => {
        const there = await query<{ id: string }>('SELECT id FROM memory_facts WHERE user_id = $1', [userId])
        if (there.some(({ id }) => id === fact.id)) return 'known'
        if (there.length >= MAX_FACTS) return 'full'
        await query(
          `INSERT INTO memory_facts (user_id, id, status, created_at, changed_at, body)
          VALUES ($1, $2, $3, $4, $5, $6)`,
          [userId, fact.id, fact.status, fact.createdAt, fact.changedAt, toFactBody(fact)],
        )
        return 'added'
      })
    },
    async get(userId, id) {
      const [row] = await database.read<FactColumns>(ONE, [userId, id])
      return row && toFact(row)
    },
    async list(userId, { status = null } = {}) {
      return (await database.read<FactColumns>(LIST, [userId, status])).map(toFact)
    },
    async change(userId, id, { at, ...changes }) {
      if (changes.text !== undefined) checkFactText(changes.text)
      return change(userId, async (query) => {
        const [row] = await query<FactColumns>(ONE, [userId, id])
        if (!row) return undefined
        const fact = { ...toFact(row), ...changes, changedAt: at }
        await query(
          'UPDATE memory_facts SET status = $3, changed_at = $4, body = $5 WHERE user_id = $1 AND id = $2',
          [userId, id, fact.status, at, toFactBody(fact)],
        )
        return fact
      })
    },
    remove: (userId, ids) => removeRows(userId, 'AND id = ANY($2)', [ids]),
    removeAll: (userId) => removeRows(userId, '', []),
  }
}

const ONE = 'SELECT id, status, created_at, changed_at, body FROM memory_facts WHERE user_id = $1 AND id = $2'
const LIST = `SELECT id, status, created_at, changed_at, body FROM memory_facts
WHERE user_id = $1 AND ($2::text IS NULL OR status = $2) ORDER BY created_at DESC, id COLLATE "C"`
