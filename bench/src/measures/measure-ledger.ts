import { createSession, defineTool } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import { FINAL_TEXT, LOOKUP, toLoopScript } from '../script.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import { createTape } from '../tape.ts'
import { WORKLOADS } from '../workloads.ts'
import { answerOf } from '../answers.ts'
import { countCommits } from './count-commits.ts'
import type { Counts } from './count-commits.ts'
import type { MeasuredExtra } from './extra.ts'

/**
 * How often a turn goes to its ledger. Counted, not timed: an iteration is the difference between a long turn and a
 * short one, and a turn is what the short one has besides its iterations.
 */
export async function measureLedger(): Promise<MeasuredExtra> {
  const values: Record<string, number> = {}
  const problems: string[] = []
  for (const effect of ['read', 'write'] as const) {
    const short = await countTurn(WORKLOADS.loop10.iterations, effect)
    const long = await countTurn(WORKLOADS.loop200.iterations, effect)
    for (const what of ['commits', 'syncs', 'records'] as const) {
      const between = WORKLOADS.loop200.iterations - WORKLOADS.loop10.iterations
      const each = (long[what] - short[what]) / between
      values[`${effect}Loop.${what}PerIteration`] = toTenths(each)
      values[`${effect}Loop.${what}PerTurnBesides`] = toTenths(
        short[what] - each * WORKLOADS.loop10.iterations,
      )
    }
    if (!short.isDone || !long.isDone) problems.push(`a turn of ${effect} calls did not come to its end`)
  }
  return { values, problems }
}

interface CountedTurn extends Counts {
  isDone: boolean
}

async function countTurn(iterations: number, effect: 'read' | 'write'): Promise<CountedTurn> {
  const counts: CountedTurn = { commits: 0, syncs: 0, records: 0, isDone: false }
  const script = toLoopScript({ iterations, callsPerIteration: 1, deltasPerIteration: 0 })
  const session = createSession({
    model: createFakeModelClient(createTape(script, 'newest')),
    store: countCommits(createMemoryStore(), counts),
    tools: [
      defineTool({
        name: LOOKUP,
        description: 'Reads one entry by its number.',
        input: INPUT_SCHEMA,
        effect,
        // Its results are its own, so that no rule asks before the next write.
        returns: [],
        run: ({ i }) => answerOf(Number(i)),
      }),
    ],
    safety: { mode: 'full' },
    limits: { maxIterations: iterations + 1 },
    budget: { iterations: iterations + 1 },
  })
  const outcome = await session.send('Read them all.')
  counts.isDone = outcome.type === 'done' && outcome.text === FINAL_TEXT
  return counts
}

function toTenths(value: number): number {
  return Number(value.toFixed(1))
}
