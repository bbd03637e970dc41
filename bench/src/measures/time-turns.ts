import { setImmediate } from 'node:timers/promises'
import type { Subject } from '../subject.ts'
import { WORKLOADS } from '../workloads.ts'
import type { WorkloadName } from '../workloads.ts'
import { planTurn } from './plan-turn.ts'
import type { PlannedTurn } from './plan-turn.ts'

export interface TimeOptions {
  readonly workload: WorkloadName
  readonly atLeastMs: number
  /** Collects all garbage first. V8 then also drops compiled code, so the cost differs from that of a running server. */
  readonly collectFirst: boolean
}

export interface TimedTurns {
  /** The number of turns that counted. */
  readonly turns: number
  /** Their mean; the caller takes the median over rounds. */
  readonly usPerIteration: number
  readonly problems: readonly string[]
}

/**
 * Runs whole turns, each in a new conversation, until they add up to `atLeastMs`. The time from opening the conversation
 * to the final text counts. The first turn does not count, because it warms up the process. Every turn is checked; the
 * first wrong one ends the measurement.
 */
export async function timeTurns(
  subject: Subject,
  { workload, atLeastMs, collectFirst }: TimeOptions,
): Promise<TimedTurns> {
  const planned = planTurn(subject, WORKLOADS[workload])
  if (collectFirst) globalThis.gc?.()
  let { problems } = await timeTurn(planned)
  let totalMs = 0
  let turns = 0
  while (problems.length === 0 && (turns === 0 || totalMs < atLeastMs)) {
    const turn = await timeTurn(planned)
    problems = turn.problems
    totalMs += turn.durationMs
    turns++
  }
  return { turns, usPerIteration: (totalMs * 1000) / turns / planned.iterations, problems }
}

async function timeTurn(
  planned: PlannedTurn,
): Promise<{ readonly durationMs: number; readonly problems: readonly string[] }> {
  const turn = planned.begin()
  const startedMs = performance.now()
  const conversation = await turn.open()
  const text = await conversation.send('Read them all.')
  const durationMs = performance.now() - startedMs
  // What a subject left to do after its answer is not charged to its next turn.
  await setImmediate()
  await conversation.close?.()
  return { durationMs, problems: turn.check(text) }
}
