import type { DueQuery, JobClaim, JobQuery, JobRow, JobStore } from '../job-store.ts'
import {
  toChangedJob,
  toClaim,
  toClaimedJob,
  toDueAt,
  toEndedJob,
  toNewJob,
  toRenewedJob,
  toSavedJob,
} from '../rows/job-row.ts'
import type { StoredJob } from '../rows/job-row.ts'

/** Jobs in memory. */
export function createMemoryJobStore(): JobStore {
  const users = new Map<string, Map<string, StoredJob>>()
  const of = (userId: string): Map<string, StoredJob> => users.get(userId) ?? new Map()
  const put = (stored: StoredJob): StoredJob => {
    const { userId, id } = stored.job
    const jobs = of(userId)
    users.set(userId, jobs.set(id, stored))
    return stored
  }
  const change = (
    { userId, id }: Pick<JobClaim, 'userId' | 'id'>,
    toNext: (stored: StoredJob) => StoredJob | undefined,
  ): StoredJob | undefined => {
    const stored = of(userId).get(id)
    const next = stored && toNext(stored)
    return next && put(next)
  }
  const all = (): StoredJob[] => [...users.values()].flatMap((jobs) => [...jobs.values()])
  return {
    add(job) {
      const there = of(job.userId).get(job.id)
      return there ? { job: there.job, added: false } : { job: put(toNewJob(job)).job, added: true }
    },
    get: (userId, id) => of(userId).get(id)?.job,
    list: (userId, query = {}) => listJobs([...of(userId).values()], query),
    change: (userId, id, wanted, from) =>
      change({ userId, id }, (stored) =>
        from && !from.includes(stored.job.status) ? undefined : toChangedJob(stored, wanted),
      )?.job,
    remove: (userId, id) => of(userId).delete(id),
    removeAllOf(userId) {
      const count = of(userId).size
      users.delete(userId)
      return count
    },
    claimDue(query) {
      const held = new Set(
        all().flatMap(({ job, leaseUntil = 0 }) => (leaseUntil > query.now ? toPlace(job) : [])),
      )
      const claimed: StoredJob[] = []
      for (const { stored, dueAt } of due(all(), query)) {
        const place = toPlace(stored.job)
        if (dueAt > query.now || claimed.length === query.limit || held.has(place)) continue
        held.add(place)
        claimed.push(put(toClaimedJob(stored, query)))
      }
      return claimed.map(toClaim)
    },
    renew: (claim, until) => change(claim, (stored) => toRenewedJob(stored, claim, until)) !== undefined,
    save: (claim, state) => change(claim, (stored) => toSavedJob(stored, claim, state)) !== undefined,
    end(claim, end) {
      const ended = change(claim, (stored) => toEndedJob(stored, claim, end))
      return ended !== undefined && ended.job.status !== 'cancelled'
    },
    nextDueAt: (query) => due(all(), query)[0]?.dueAt,
  }
}

const toPlace = ({ userId, key }: JobRow): string => JSON.stringify([userId, key])

/** Those that will be due, the earliest first. */
function due(all: readonly StoredJob[], { kinds, exceptUsers = [] }: DueQuery) {
  return all
    .flatMap((stored) => {
      const dueAt = toDueAt(stored)
      const { kind, userId } = stored.job
      const isAsked = kinds.includes(kind) && !exceptUsers.includes(userId)
      return dueAt !== undefined && isAsked ? [{ stored, dueAt }] : []
    })
    .toSorted((a, b) => a.dueAt - b.dueAt)
}

function listJobs(
  stored: readonly StoredJob[],
  { kind, status, cursor, limit = Infinity }: JobQuery,
): JobRow[] {
  return stored
    .map(({ job }) => job)
    .filter((job) => (kind ?? job.kind) === job.kind && (status ?? job.status) === job.status)
    .toSorted(newestFirst)
    .filter((job) => !cursor || newestFirst(cursor, job) < 0)
    .slice(0, limit)
}

type Place = Pick<JobRow, 'createdAt' | 'id'>
const newestFirst = (a: Place, b: Place): number => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)
