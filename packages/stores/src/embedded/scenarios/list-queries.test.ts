import { expect, it } from 'vitest'
import { openConnection } from '../database/connection.ts'
import type { Connection } from '../database/connection.ts'
import { createJournal } from '../ledger/journal.ts'
import { migrate } from '../migrations/migrations.ts'
import { createRunRows } from '../runs/run-rows.ts'
import { createThreadRows } from '../threads/thread-rows.ts'

it('lists of threads and runs read an index in its order, without a scan and without sorting', () => {
  const connection = openConnection(':memory:')
  migrate(connection)
  const queries: string[] = []
  const listening: Connection = {
    ...connection,
    prepare(sql) {
      queries.push(sql)
      return connection.prepare(sql)
    },
  }
  createThreadRows(listening, createJournal(connection))
  createRunRows(listening)
  const lists = queries.filter((sql) => /ORDER BY \w+ DESC, no DESC LIMIT/.test(sql))
  expect(lists).toHaveLength(3)
  for (const sql of lists) {
    const steps = connection.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[]
    const plan = steps.map(({ detail }) => detail).join('\n')
    expect(plan).toMatch(/USING INDEX \w+_of_\w+ \(.*(updated|started)_at<\?\)/)
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/)
  }
  connection.close()
})
