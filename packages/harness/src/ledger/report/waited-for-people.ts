import type { RunTrace } from './run-trace.ts'

type Interval = readonly [from: number, to: number]

/**
 * How long the runs waited for a person: for answers and sign-ins. Waits at the same time count once. An open wait lasts
 * until `now`.
 */
export function waitedForPeople(runs: readonly RunTrace[], now: number): number {
  const waits = runs.flatMap((run) => waitsOf(run, now)).toSorted(([a], [b]) => a - b)
  let total = 0
  let end = -Infinity
  for (const [from, to] of waits) {
    total += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return total
}

function waitsOf({ steps, parked }: RunTrace, now: number): readonly Interval[] {
  const waits: Interval[] = parked ? [[parked.at, now]] : []
  for (const step of steps) {
    if (step.type === 'resume' && step.after === 'wait') waits.push([step.at - step.pausedMs, step.at])
    if (step.type !== 'call') continue
    for (const { askedAt, waitedMs } of step.approvals)
      if (waitedMs !== undefined) waits.push([askedAt, askedAt + waitedMs])
      else if (step.ok === undefined) waits.push([askedAt, now])
  }
  return waits
}
