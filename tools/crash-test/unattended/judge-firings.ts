import type { MisfireRule } from '@capstan/protocol'
import type { Finding } from '../counts.ts'
import { findDueTimes } from './due-times.ts'
import type { PlannedSchedule } from './messages.ts'
import type { Presence } from './timeline.ts'

const MINUTE = 60_000
const ON_TIME_MS = 5 * MINUTE
const HOUR = 60 * MINUTE
/** A message to a process, and what it does, take a moment. */
const MOMENT_MS = 2_000
const STEP_MS = 15_000

/** What a schedule did in a round. */
export interface FiringEvidence {
  readonly schedule: PlannedSchedule
  readonly id: string
  readonly since: number
  readonly until: number
  /** The due times of the turns that there are, one for each turn. */
  readonly fired: readonly number[]
  readonly presences: readonly Presence[]
  readonly settled: readonly number[]
  /** What the history says. */
  readonly history: readonly {
    readonly dueAt: number
    readonly outcome: string
    readonly missedUntil?: number
  }[]
}

/** Compares the turns of a schedule with the rule that is stated for it. */
export function* judgeFirings(evidence: FiringEvidence): Generator<Finding> {
  const { schedule, since, until, fired, id } = evidence
  const { when, zone, misfire } = schedule
  const due = findDueTimes(when, zone, since, until)
  const name = (at: number): string => `${id} (${when}, ${zone}, ${misfire}) of ${new Date(at).toISOString()}`
  const counts = new Map<number, number>()
  for (const at of fired) counts.set(at, (counts.get(at) ?? 0) + 1)
  const known = new Set(due)
  for (const [at, count] of counts) {
    if (count > 1) yield { count: 'firingsDoubled', text: `${name(at)} has run ${count} times` }
    if (!known.has(at)) yield { count: 'firingsDoubled', text: `${name(at)} has run and was not due` }
  }
  for (const at of due) {
    const looks = findLooks(at, evidence)
    const hasFired = counts.has(at)
    if (hasFired && !looks.some((look) => mayFire(misfire, at, look, due)))
      yield { count: 'firingsDoubled', text: `${name(at)} has run, and the rule says that it is missed` }
    // What came after the last moment of rest may still be on its way.
    const isSettled = evidence.settled.some((settledAt) => settledAt >= at + MOMENT_MS)
    if (!hasFired && isSettled && !looks.some((look) => mayMiss(misfire, at, look, due)))
      yield { count: 'firingsMissed', text: `${name(at)} has not run` }
  }
  yield* judgeHistory(evidence, counts, name)
}

/** The moments at which a process may have decided about a due time: until everything was done for the first time. */
function findLooks(at: number, { presences, settled }: FiringEvidence): readonly number[] {
  const end = settled.find((settledAt) => settledAt >= at + MOMENT_MS) ?? Infinity
  const looks: number[] = []
  for (const { from, until } of presences) {
    const first = Math.max(from, at)
    const last = Math.min(until, end)
    for (let look = first; look <= last; look += STEP_MS) looks.push(look)
    if (first <= last) looks.push(last)
  }
  return looks
}

const between = (due: readonly number[], after: number, until: number): number =>
  due.filter((at) => at > after && at <= until).length

/** Whether a due time may run when a process looks, by the table in docs/schedules.md. */
function mayFire(rule: MisfireRule, at: number, look: number, due: readonly number[]): boolean {
  const lateMs = look - at - MOMENT_MS
  if (lateMs <= ON_TIME_MS && rule === 'skip') return true
  if (rule === 'skip') return false
  if (rule === 'once') return lateMs <= 12 * HOUR && between(due, at, look - MOMENT_MS) === 0
  return lateMs <= 24 * HOUR && between(due, at, look - MOMENT_MS) < 10
}

function mayMiss(rule: MisfireRule, at: number, look: number, due: readonly number[]): boolean {
  const lateMs = look - at + MOMENT_MS
  if (rule === 'skip') return lateMs > ON_TIME_MS
  if (rule === 'once') return lateMs > 12 * HOUR || between(due, at, look + MOMENT_MS) > 0
  return lateMs > 24 * HOUR || between(due, at, look + MOMENT_MS) >= 10
}

/** What has run is in the history, and is nowhere called missed. */
function* judgeHistory(
  { history, fired }: FiringEvidence,
  counts: ReadonlyMap<number, number>,
  name: (at: number) => string,
): Generator<Finding> {
  const told = new Set(history.filter(({ outcome }) => outcome !== 'missed').map(({ dueAt }) => dueAt))
  for (const { dueAt, outcome, missedUntil = dueAt + 1 } of history) {
    if (outcome !== 'missed' && !counts.has(dueAt))
      yield { count: 'invariantBreaks', text: `${name(dueAt)} is told as ${outcome} and has no turn` }
    const isMissed = (at: number): boolean => outcome === 'missed' && at >= dueAt && at < missedUntil
    for (const at of fired)
      if (isMissed(at)) yield { count: 'invariantBreaks', text: `${name(at)} has run and is told as missed` }
  }
  const oldest = Math.min(...history.map(({ dueAt }) => dueAt))
  for (const at of counts.keys())
    if (at > oldest && !told.has(at))
      yield { count: 'invariantBreaks', text: `${name(at)} has run and is not in the history` }
}
