import type { SQLOutputValue } from 'node:sqlite'
import { sumUsage } from '@capstan/harness/stores'
import type { LedgerRecord, OtherUsage } from '@capstan/harness/stores'
import { NO_USAGE } from '@capstan/protocol'
import type { ThreadId, Usage, UsageRow } from '@capstan/protocol'
import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'
import { HOLDS_USAGE, parseBody } from '../../shared/ledger/page-body.ts'
import { toCount, toUsageRow } from '../../shared/runs/usage-columns.ts'
import type { UsageSums } from '../../shared/runs/usage-columns.ts'
import type { Journal, Page } from '../ledger/journal.ts'
import type { ThreadRows } from '../threads/thread-rows.ts'

interface UsageQuery {
  readonly userId: string
  readonly threadId?: ThreadId
  readonly since?: number
}

export type UsageRecord = Extract<LedgerRecord, { readonly type: 'usage' }>

/** What model calls cost, one row each, so that any period can be summed. */
export interface UsageRows {
  /** Adds the `n`th usage of its page. */
  add(page: Pick<Page, 'id' | 'thread'>, n: number, record: UsageRecord): void
  sum(query: UsageQuery): UsageRow[]
  /** Adds what belongs to no thread. */
  addOther(userId: string, used: OtherUsage): void
  /** Deletes those of a thread. What they add up to stays with the user. */
  delete(thread: number): void
  /** Throws when a row is damaged. */
  check(): void
}

/** The columns that a row of usage has in every table. */
const AMOUNTS = `model, input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens,
  charged_usd, estimated_usd, estimated`

export function createUsageRows(connection: Connection, journal: Journal, threads: ThreadRows): UsageRows {
  const insert = connection.prepare('INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const sum = connection.prepare<UsageSums>(
    `SELECT model, count(*) AS calls, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cached_input_tokens) AS cached_input_tokens, sum(cache_write_tokens) AS cache_write_tokens,
    sum(reasoning_tokens) AS reasoning_tokens, sum(charged_usd) AS charged_usd,
    sum(estimated_usd) AS estimated_usd, max(estimated) AS estimated
    FROM (
      SELECT page, ${AMOUNTS} FROM threads JOIN usage ON usage.thread = threads.no
    WHERE threads.user = ?1 AND (?2 IS NULL OR threads.id = ?2) AND usage.at >= ?3 AND usage.page <= ?4
      UNION ALL
      SELECT 0, ${AMOUNTS} FROM kept_usage WHERE user = ?1 AND ?2 IS NULL AND at >= ?3
    )
    GROUP BY model ORDER BY min(page)`,
  )
  const ofThread = connection.prepare<Record<string, SQLOutputValue>>(
    `SELECT threads.user, at, ${AMOUNTS} FROM threads JOIN usage ON usage.thread = threads.no WHERE threads.no = ?`,
  )
  const keep = connection.prepare('INSERT INTO kept_usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const tables = ['usage', 'kept_usage'].map((name) => connection.prepare(`SELECT * FROM ${name}`))
  const remove = connection.prepare('DELETE FROM usage WHERE thread = ?')
  return {
    add({ id, thread }, n, { at, model, usage: used }) {
      const row = [thread, at, id, n, model.toWellFormed(), ...toAmounts(used)]
      insert.run(...row, checksum(JSON.stringify(row)))
    },
    sum({ userId, threadId, since = -Infinity }) {
      const totals = new Map<string, UsageRow>()
      // The end of the journal first: pages that are indexed meanwhile are not counted twice.
      const tail = journal.tail()
      const upTo = tail[0] ? tail[0].id - 1 : Number.MAX_SAFE_INTEGER
      for (const row of sum.all(userId, threadId ?? null, since, upTo)) totals.set(row.model, toUsageRow(row))
      for (const page of tail) {
        if ((page.kinds & HOLDS_USAGE) === 0) continue
        const thread = threads.byNo(page.thread)
        if (thread?.userId !== userId || (threadId !== undefined && thread.id !== threadId)) continue
        for (const record of parseBody(page.body)) {
          if (record.type !== 'usage' || record.at < since) continue
          const total = totals.get(record.model) ?? { model: record.model, calls: 0, usage: NO_USAGE }
          totals.set(record.model, {
            ...total,
            calls: total.calls + 1,
            usage: sumUsage(total.usage, record.usage),
          })
        }
      }
      return [...totals.values()]
    },
    addOther(userId, { at, model, usage: used }) {
      const row = [userId, at, model.toWellFormed(), ...toAmounts(used)]
      keep.run(...row, checksum(JSON.stringify(row)))
    },
    delete(thread) {
      for (const row of ofThread.all(thread)) {
        const values = Object.values(row)
        keep.run(...values, checksum(JSON.stringify(values)))
      }
      remove.run(thread)
    },
    check() {
      for (const table of tables) {
        for (const row of table.compiled().iterate() as Iterable<unknown>) {
          const { sum: written, ...fields } = row as { readonly sum: number }
          refuseDamage(checksum(JSON.stringify(Object.values(fields))) === written, 'a row of usage')
        }
      }
    },
  }
}

/** In the order of `AMOUNTS`. */
const toAmounts = (used: Usage): readonly number[] => [
  toCount(used.inputTokens),
  toCount(used.outputTokens),
  toCount(used.cachedInputTokens),
  toCount(used.cacheWriteTokens),
  toCount(used.reasoningTokens),
  toCount(used.chargedUsd),
  toCount(used.estimatedUsd),
  used.estimated ? 1 : 0,
]
