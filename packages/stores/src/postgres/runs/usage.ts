import type { OtherUsage, RecordOf } from '@capstan/harness/stores'
import type { ThreadId, UsageRow } from '@capstan/protocol'
import { toCount, toUsageRow } from '../../shared/runs/usage-columns.ts'
import type { UsageSums } from '../../shared/runs/usage-columns.ts'
import type { Database } from '../database/database.ts'

/** What a model call cost, one row each, so that any period can be summed. */
export const toUsageColumns = ({ at, model, usage }: Pick<RecordOf<'usage'>, 'at' | 'model' | 'usage'>) => ({
  at,
  model: model.replaceAll('\0', ''),
  input_tokens: toCount(usage.inputTokens),
  output_tokens: toCount(usage.outputTokens),
  cached_input_tokens: toCount(usage.cachedInputTokens),
  cache_write_tokens: toCount(usage.cacheWriteTokens),
  reasoning_tokens: toCount(usage.reasoningTokens),
  charged_usd: toCount(usage.chargedUsd),
  estimated_usd: toCount(usage.estimatedUsd),
  estimated: usage.estimated ?? false,
})

/** Sums the usage of a user per model. */
export async function sumUsage(
  database: Database,
  query: { readonly userId: string; readonly threadId?: ThreadId; readonly since?: number },
): Promise<UsageRow[]> {
  const { userId, threadId = null, since = -Infinity } = query
  const rows = await database.read<UsageSums>(
    `SELECT model, count(*) AS calls, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    sum(cached_input_tokens) AS cached_input_tokens, sum(cache_write_tokens) AS cache_write_tokens,
    sum(reasoning_tokens) AS reasoning_tokens, sum(charged_usd) AS charged_usd, sum(estimated_usd) AS estimated_usd,
    bool_or(estimated) AS estimated
    FROM usage WHERE user_id = $1 AND at >= $2
    AND ($3::text IS NULL OR thread = (SELECT no FROM threads WHERE id = $3 AND user_id = $1))
    GROUP BY model ORDER BY min(no)`,
    [userId, since, threadId],
  )
  return rows.map(toUsageRow)
}

/** No thread has this number. */
const NO_THREAD = 0

/** Adds what a call outside of threads cost. */
export async function insertUsage(database: Database, userId: string, used: OtherUsage): Promise<void> {
  const columns = toUsageColumns(used)
  const names = Object.keys(columns)
  const places = names.map((_name, index) => `$${index + 2}`)
  const sql = `INSERT INTO usage (thread, user_id, ${names.join(', ')}) VALUES (${NO_THREAD}, $1, ${places.join(', ')})`
  // Not counted twice after a lost connection.
  await database.transaction((query) => query(sql, [userId, ...Object.values(columns)]))
}
