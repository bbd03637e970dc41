import { setImmediate } from 'node:timers/promises'
import { LOOKUP, toLoopScript } from '../script.ts'
import type { Script } from '../script.ts'
import type { Subject } from '../subject.ts'
import { createTape } from '../tape.ts'
import { WORKLOADS } from '../workloads.ts'
import type { Workload, WorkloadName } from '../workloads.ts'
import { answerOf, checkTurn } from './check-turn.ts'

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
 * Runs whole turns, each in a new conversation, until they add up to `atLeastMs`. Only the time from sending to the
 * final text counts, and the first turn does not count, because it warms up the process. Every turn is checked; the
 * first wrong one ends the measurement.
 */
export async function timeTurns(
  subject: Subject,
  { workload: name, atLeastMs, collectFirst }: TimeOptions,
): Promise<TimedTurns> {
  const workload: Workload = WORKLOADS[name]
  const script = toLoopScript(workload)
  if (collectFirst) globalThis.gc?.()
  let { problems } = await runTurn(subject, workload, script)
  let totalMs = 0
  let turns = 0
  while (problems.length === 0 && (turns === 0 || totalMs < atLeastMs)) {
    const turn = await runTurn(subject, workload, script)
    problems = turn.problems
    totalMs += turn.durationMs
    turns++
  }
  return { turns, usPerIteration: (totalMs * 1000) / turns / workload.iterations, problems }
}

async function runTurn(
  subject: Subject,
  workload: Workload,
  script: Script,
): Promise<{ readonly durationMs: number; readonly problems: readonly string[] }> {
  const tape = createTape(script, 'newest')
  const executed: number[] = []
  const deltas: string[] = []
  const conversation = await subject.open({
    instructions: 'Read the entries you are asked for with the lookup tool, then say that you are done.',
    tools: [
      {
        name: LOOKUP,
        description: 'Reads one entry by its number.',
        run({ i }) {
          executed.push(i)
          return answerOf(i)
        },
      },
    ],
    tape,
    maxIterations: workload.iterations + 1,
    ...(workload.streams ? { onDelta: (delta: string) => void deltas.push(delta) } : undefined),
  })
  const startedMs = performance.now()
  const text = await conversation.send('Read them all.')
  const durationMs = performance.now() - startedMs
  // What a subject left to do after its answer is not charged to its next turn.
  await setImmediate()
  await conversation.close?.()
  const problems = checkTurn(script, {
    text,
    modelCalls: tape.modelCalls,
    executed,
    lastRequest: tape.lastRequest(),
    ...(workload.streams ? { deltas, joinsDeltas: subject.joinsDeltas ?? false } : undefined),
  })
  return { durationMs, problems }
}
