import {
  toChangedJob,
  toClaim,
  toClaimedJob,
  toEndedJob,
  toNewJob,
  toRenewedJob,
  toSavedJob,
} from '@capstan/harness/stores'
import type { DueQuery, JobClaim, JobStore, StoredJob } from '@capstan/harness/stores'
import { JOB_COLUMNS, toJobValues, toStoredJob } from '../../shared/jobs/job-columns.ts'
import type { JobColumns } from '../../shared/jobs/job-columns.ts'
import type { Database, Query } from '../database/database.ts'

/** Jobs on PostgreSQL, which several nodes run. */
export function createJobStore(database: Database): JobStore {
  const change = (
    { userId, id }: Pick<JobClaim, 'userId' | 'id'>,
    toNext: (stored: StoredJob) => StoredJob | undefined,
  ): Promise<StoredJob | undefined> =>
    database.transaction(async (query) => {
      const [row] = await query<JobColumns>(`${GET} FOR UPDATE`, [userId, id])
      const next = row && toNext(toStoredJob(row))
      return next && update(query, next)
    })

  async function get(userId: string, id: string) {
    const [row] = await database.read<JobColumns>(GET, [userId, id])
    return row && toStoredJob(row).job
  }

  return {
    add: (job) =>
      database.transaction(async (query) => {
        const [added] = await query<JobColumns>(INSERT, toJobValues(toNewJob(job)))
        const [row] = added ? [added] : await query<JobColumns>(GET, [job.userId, job.id])
        // Removed between the two statements: as if it had been there.
        return { job: (row ? toStoredJob(row) : toNewJob(job)).job, added: added !== undefined }
      }),
    get,
    async list(userId, { kind = null, status = null, cursor, limit = null } = {}) {
      const values = [userId, kind, status, cursor?.createdAt ?? null, cursor?.id ?? null, limit]
      const rows = await database.read<JobColumns>(LIST, values)
      return rows.map((row) => toStoredJob(row).job)
    },
    async change(userId, id, wanted, from) {
      const changed = await change({ userId, id }, (stored) =>
        from && !from.includes(stored.job.status) ? undefined : toChangedJob(stored, wanted),
      )
      return changed?.job
    },
    remove: (userId, id) =>
      database.transaction(async (query) => {
        const gone = await query('DELETE FROM jobs WHERE user_id = $1 AND id = $2 RETURNING no', [userId, id])
        return gone.length > 0
      }),
    removeAllOf: (userId) =>
      database.transaction(async (query) => {
        const gone = await query('DELETE FROM jobs WHERE user_id = $1 RETURNING no', [userId])
        return gone.length
      }),
    async claimDue(asked) {
      const { now, limit } = asked
      const values = [...toDueValues(asked), now, limit]
      // Most of the time nothing is due, and then no node waits for another.
      if ((await database.read(DUE, values)).length === 0) return []
      return database.transaction(async (query) => {
        // One node at a time, or two could claim two jobs with the same key.
        await query(`SELECT pg_advisory_xact_lock(hashtextextended('capstan jobs ' || current_schema(), 0))`)
        // A job that is just being changed is claimed the next time.
        const rows = await query<JobColumns>(`${DUE} FOR UPDATE SKIP LOCKED`, values)
        const claimed: StoredJob[] = []
        for (const row of rows) claimed.push(await update(query, toClaimedJob(toStoredJob(row), asked)))
        return claimed.map(toClaim)
      })
    },
    renew: async (claim, until) =>
      (await change(claim, (stored) => toRenewedJob(stored, claim, until))) !== undefined,
    save: async (claim, state) =>
      (await change(claim, (stored) => toSavedJob(stored, claim, state))) !== undefined,
    async end(claim, end) {
      const ended = await change(claim, (stored) => toEndedJob(stored, claim, end))
      return ended !== undefined && ended.job.status !== 'cancelled'
    },
    async nextDueAt(asked) {
      const [row] = await database.read<{ due_at: number | null }>(NEXT_DUE, toDueValues(asked))
      return row?.due_at ?? undefined
    },
  }
}

async function update(query: Query, stored: StoredJob): Promise<StoredJob> {
  await query(UPDATE, toJobValues(stored))
  return stored
}

const toDueValues = ({ kinds, exceptUsers = [] }: DueQuery): [readonly string[], readonly string[]] => [
  kinds,
  exceptUsers,
]

const NAMES = JOB_COLUMNS.join(', ')
const PLACES = JOB_COLUMNS.map((_name, index) => `$${index + 1}`).join(', ')
const GET = `SELECT ${NAMES} FROM jobs WHERE user_id = $1 AND id = $2`
const INSERT = `INSERT INTO jobs (${NAMES}) VALUES (${PLACES}) ON CONFLICT (user_id, id) DO NOTHING RETURNING ${NAMES}`
const UPDATE = `UPDATE jobs SET (${NAMES}) = ROW (${PLACES}) WHERE user_id = $1 AND id = $2`
const LIST = `SELECT ${NAMES} FROM jobs
WHERE user_id = $1 AND ($2::text IS NULL OR kind = $2) AND ($3::text IS NULL OR status = $3)
AND ($4::double precision IS NULL OR created_at < $4 OR (created_at = $4 AND id COLLATE "C" > $5))
ORDER BY created_at DESC, id COLLATE "C" LIMIT $6`

/** One of the kinds, and of a user who may run jobs. */
const asked = (alias: string): string =>
  `${alias}.due_at IS NOT NULL AND ${alias}.kind = ANY($1) AND ${alias}.user_id <> ALL($2)`
const DUE = `SELECT ${NAMES} FROM jobs AS job WHERE ${asked('job')} AND job.due_at <= $3
AND NOT EXISTS (SELECT FROM jobs AS held WHERE held.user_id = job.user_id AND held.key = job.key
  AND held.lease_until > $3)
AND NOT EXISTS (SELECT FROM jobs AS other WHERE other.user_id = job.user_id AND other.key = job.key
  AND (other.due_at, other.no) < (job.due_at, job.no) AND ${asked('other')})
ORDER BY job.due_at, job.no LIMIT $4`
const NEXT_DUE = `SELECT min(due_at) AS due_at FROM jobs AS job WHERE ${asked('job')}`
