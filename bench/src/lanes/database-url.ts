export const DATABASE_URL_VARIABLE = 'CAPSTAN_BENCH_DATABASE_URL'

/** Whether a commit waits for the disk, as is the default of PostgreSQL, or only for the server. */
export type SynchronousCommit = 'on' | 'off'

/** The address of the database of the subject of this lane. It is empty when the lane opens. */
export function databaseUrl(synchronousCommit: SynchronousCommit = 'on'): string {
  const url = process.env[DATABASE_URL_VARIABLE]
  if (!url) throw new Error(`A subject on PostgreSQL must run in a lane: ${DATABASE_URL_VARIABLE} is not set`)
  return `${url}?options=${encodeURIComponent(`-c synchronous_commit=${synchronousCommit}`)}`
}
