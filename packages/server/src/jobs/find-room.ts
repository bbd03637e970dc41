import type { JobHandler } from './job-handler.ts'
import type { RunningJob } from './run-job.ts'

/** Jobs of one kind never take more than this of all places: slow apps leave some to schedules, whoever they belong to. */
const MOST_OF_A_KIND = 0.75

/** Of which kinds jobs may be claimed now, and how many. Jobs that mostly wait take no place. Pure. */
export function findRoom(
  handlers: ReadonlyMap<string, JobHandler>,
  running: ReadonlySet<Pick<RunningJob, 'claim'>>,
  maxAtOnce: number,
): { readonly kinds: readonly string[]; readonly limit: number } {
  const isMostlyWaiting = (kind: string): boolean => handlers.get(kind)?.waitsMostly === true
  const busy = [...running].map(({ claim }) => claim.job.kind).filter((kind) => !isMostlyWaiting(kind))
  const mostOfAKind = Math.ceil(maxAtOnce * MOST_OF_A_KIND)
  const roomOf = (kind: string): number =>
    isMostlyWaiting(kind) ? Infinity : mostOfAKind - busy.filter((one) => one === kind).length
  const kinds = [...handlers.keys()].filter((kind) => roomOf(kind) > 0)
  return { kinds, limit: Math.min(maxAtOnce - busy.length, ...kinds.map(roomOf)) }
}
