import type { Database } from '../database/database.ts'

/** Limits that nodes count together. Each is taken in one statement. They need not survive a power cut. */
export interface RateRows {
  /**
   * Takes from a token bucket. 0 when it is allowed, else the time to wait in milliseconds; a refusal costs nothing. What
   * costs more than is left is allowed once, and the next one waits longer.
   */
  takeTokens(
    name: string,
    rate: { readonly burst: number; readonly perSecond: number },
    cost: number,
  ): Promise<number>
  /** Counts one use, at most `most` in any window of this length. 0 when it is allowed, else the time to wait. */
  takeUse(name: string, most: number, windowMs: number): Promise<number>
  /** Deletes what has not been used for an hour, which is longer than any limit. */
  deleteUnused(): Promise<void>
}

export function createRateRows(database: Database): RateRows {
  /** Sent once: a database that cannot be reached is an answer, too. */
  const take = async (sql: string, values: readonly unknown[]): Promise<number> => {
    database.refuseIfClosed()
    const [row] = await database.send<{ wait: number }>(sql, values)
    return row ? Math.max(0, Math.ceil(row.wait)) : 0
  }
  return {
    takeTokens: (name, { burst, perSecond }, cost) => take(TAKE_TOKENS, [name, burst, perSecond, cost]),
    takeUse: (name, most, windowMs) => take(TAKE_USE, [name, most, windowMs / 1000]),
    async deleteUnused() {
      await database.writeLazily(`DELETE FROM rate_buckets WHERE filled_at < now() - interval '1 hour'`)
      await database.writeLazily(`DELETE FROM recent_uses WHERE used_at < now() - interval '1 hour'`)
    },
  }
}

// A statement that waited for another may have the older time: then nothing flows in.
const REFILLED = `least($2::float8,
  bucket.tokens + greatest(0, extract(epoch FROM statement_timestamp() - bucket.filled_at)::float8) * $3::float8)`

// A row that another node has just begun is not seen by the second part: then one token's time is the answer.
const TAKE_TOKENS = `WITH taken AS (
  INSERT INTO rate_buckets AS bucket VALUES ($1, $2::float8 - $4::float8, statement_timestamp())
  ON CONFLICT (name) DO UPDATE SET tokens = ${REFILLED} - $4::float8, filled_at = statement_timestamp()
  WHERE ${REFILLED} >= 1
  RETURNING 1
)
SELECT coalesce(greatest(1, (1 - ${REFILLED}) / $3::float8 * 1000), 1000 / $3::float8) AS wait
FROM (SELECT $1::text AS name) AS asked LEFT JOIN rate_buckets AS bucket USING (name)
WHERE NOT EXISTS (SELECT FROM taken)`

// Every use within the window is kept, oldest first: a bucket would allow almost twice as many in its first window.
const RECENT = `ARRAY(SELECT time FROM unnest(recent.times) AS time
  WHERE time > statement_timestamp() - make_interval(secs => $3) ORDER BY time)`

const TAKE_USE = `WITH taken AS (
  INSERT INTO recent_uses AS recent
  SELECT $1, ARRAY[statement_timestamp()], statement_timestamp() WHERE $2::int > 0
  ON CONFLICT (name) DO UPDATE
  SET times = ${RECENT} || statement_timestamp(), used_at = statement_timestamp()
  WHERE cardinality(${RECENT}) < $2::int
  RETURNING 1
)
SELECT coalesce(greatest(1, extract(epoch FROM
  (${RECENT})[greatest(1, cardinality(${RECENT}) - $2::int + 1)] - statement_timestamp())::float8 * 1000 + $3 * 1000), $3 * 1000)
  AS wait
FROM (SELECT $1::text AS name) AS asked LEFT JOIN recent_uses AS recent USING (name)
WHERE NOT EXISTS (SELECT FROM taken)`
