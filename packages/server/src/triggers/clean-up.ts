import type { Jobs } from '../jobs/jobs.ts'
import { TRIGGER_JOB } from './trigger-job.ts'

/** How long a trigger is kept after it came in. A repeat that comes later is a new trigger. */
const KEPT_MS = 30 * 86_400_000
const PAUSE_MS = 3_600_000
const PAGE = 200
const OVER: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled'])

/** Removes old triggers of a user that are over, at most once in an hour. Never throws. */
export function createCleanUp(
  jobs: Pick<Jobs, 'list' | 'remove'>,
  now: () => number,
  onProblem: (problem: unknown) => void,
): (userId: string) => void {
  const last = new Map<string, number>()

  async function removeOld(userId: string): Promise<void> {
    let cursor = { createdAt: now() - KEPT_MS, id: '' }
    for (;;) {
      const page = await jobs.list(userId, { kind: TRIGGER_JOB, cursor, limit: PAGE })
      for (const job of page) if (OVER.has(job.status)) await jobs.remove(userId, job.id)
      const end = page.at(-1)
      if (!end || page.length < PAGE) return
      cursor = end
    }
  }

  return (userId) => {
    if (now() - (last.get(userId) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return
    last.set(userId, now())
    removeOld(userId).catch(onProblem)
  }
}
