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
import type { Connection } from '../database/connection.ts'
import type { StoreAccess } from '../database/store-access.ts'

/** Jobs on SQLite. */
export function createJobStore(
  access: StoreAccess,
  connection: Connection,
  changed: (bytes: number) => void,
): JobStore {
  const rows = prepareRows(connection)
  const read = (userId: string, id: string): StoredJob | undefined => {
    const row = rows.get.get(userId, id)
    return row && toStoredJob(row)
  }
  const write = (stored: StoredJob): StoredJob => {
    const values = toJobValues(stored)
    rows.put.run(...values)
    changed(String(values.at(-1)).length + BYTES_PER_JOB)
    return stored
  }
  const change = (
    { userId, id }: Pick<JobClaim, 'userId' | 'id'>,
    toNext: (stored: StoredJob) => StoredJob | undefined,
  ): StoredJob | undefined =>
    access.write(() => {
      const stored = read(userId, id)
      const next = stored && toNext(stored)
      return next && write(next)
    })

  return {
    add: (job) =>
      access.write(() => {
        const there = read(job.userId, job.id)
        return there ? { job: there.job, added: false } : { job: write(toNewJob(job)).job, added: true }
      }),
    get: (userId, id) => access.read(() => read(userId, id)?.job),
    list: (userId, { kind = null, status = null, cursor, limit = -1 } = {}) =>
      access.read(() =>
        rows.list
          .all(userId, kind, status, cursor?.createdAt ?? null, cursor?.id ?? null, limit)
          .map((row) => toStoredJob(row).job),
      ),
    change: (userId, id, wanted, from) =>
      change({ userId, id }, (stored) =>
        from && !from.includes(stored.job.status) ? undefined : toChangedJob(stored, wanted),
      )?.job,
    remove: (userId, id) => access.write(() => rows.remove.run(userId, id) > 0),
    removeAllOf: (userId) => access.write(() => rows.removeAll.run(userId)),
    claimDue(query) {
      const { now, limit } = query
      // Most of the time nothing is due, and then nothing is written.
      const find = () => rows.due.all(...toDueValues(query), now, limit)
      if (access.read(find).length === 0) return []
      return access.write(() => find().map((row) => toClaim(write(toClaimedJob(toStoredJob(row), query)))))
    },
    renew: (claim, until) => change(claim, (stored) => toRenewedJob(stored, claim, until)) !== undefined,
    save: (claim, state) => change(claim, (stored) => toSavedJob(stored, claim, state)) !== undefined,
    end(claim, end) {
      const ended = change(claim, (stored) => toEndedJob(stored, claim, end))
      return ended !== undefined && ended.job.status !== 'cancelled'
    },
    nextDueAt: (query) => access.read(() => rows.nextDue.get(...toDueValues(query))?.due_at ?? undefined),
  }
}

// A row and its index entries, roughly, without the state.
const BYTES_PER_JOB = 1024

const toDueValues = ({ kinds, exceptUsers = [] }: DueQuery): [string, string] => [
  JSON.stringify(kinds),
  JSON.stringify(exceptUsers),
]

/** One of the kinds, and of a user who may run jobs. */
const asked = (alias: string): string => `${alias}.due_at IS NOT NULL
  AND ${alias}.kind IN (SELECT value FROM json_each(?1)) AND ${alias}.user_id NOT IN (SELECT value FROM json_each(?2))`

function prepareRows(connection: Connection) {
  const names = JOB_COLUMNS.join(', ')
  const places = JOB_COLUMNS.map(() => '?').join(', ')
  const updates = JOB_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')
  return {
    get: connection.prepare<JobColumns>('SELECT * FROM jobs WHERE user_id = ? AND id = ?'),
    put: connection.prepare(
      `INSERT INTO jobs (${names}) VALUES (${places}) ON CONFLICT (user_id, id) DO UPDATE SET ${updates}`,
    ),
    list: connection.prepare<JobColumns>(
      `SELECT * FROM jobs WHERE user_id = ?1 AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR status = ?3)
      AND (?4 IS NULL OR created_at < ?4 OR (created_at = ?4 AND id > ?5)) ORDER BY created_at DESC, id LIMIT ?6`,
    ),
    remove: connection.prepare('DELETE FROM jobs WHERE user_id = ? AND id = ?'),
    removeAll: connection.prepare('DELETE FROM jobs WHERE user_id = ?'),
    due: connection.prepare<JobColumns>(
      `SELECT * FROM jobs AS job WHERE ${asked('job')} AND job.due_at <= ?3
      AND NOT EXISTS (SELECT 1 FROM jobs AS held WHERE held.user_id = job.user_id AND held.key = job.key
        AND held.lease_until > ?3)
      AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.user_id = job.user_id AND other.key = job.key
        AND (other.due_at, other.no) < (job.due_at, job.no) AND ${asked('other')})
      ORDER BY job.due_at, job.no LIMIT ?4`,
    ),
    nextDue: connection.prepare<{ readonly due_at: number | null }>(
      `SELECT min(due_at) AS due_at FROM jobs AS job WHERE ${asked('job')}`,
    ),
  }
}
