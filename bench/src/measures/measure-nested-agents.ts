import { createSession, defineTool, fromAiSdk } from '@capstan/harness'
import type { AgentDefinition } from '@capstan/harness'
import { createFakeV4Model } from '../fakes/fake-v4-model.ts'
import { FINAL_TEXT, LOOKUP, toCall, toLoopScript, toReply } from '../script.ts'
import type { Script } from '../script.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import { createTape } from '../tape.ts'
import { WORKLOADS } from '../workloads.ts'
import { answerOf } from './check-turn.ts'
import type { MeasuredExtra } from './extra.ts'

const CHAIN = ['first', 'second', 'third'] as const
const WARM_UP_TURNS = 100
const TURNS = 200

/** Measures a turn that delegates three levels deep; the third child runs the ten iterations of `loop10`. */
export async function measureNestedAgents(): Promise<MeasuredExtra> {
  const script = toNestedScript()
  const iterations = WORKLOADS.loop10.iterations + CHAIN.length
  const timesMs: number[] = []
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn++) {
    const tape = createTape(script, 'newest')
    let lookups = 0
    const lookup = defineTool({
      name: LOOKUP,
      description: 'Reads one entry by its number.',
      input: INPUT_SCHEMA,
      effect: 'read',
      run({ i }) {
        lookups++
        return answerOf(Number(i))
      },
    })
    const session = createSession({
      model: fromAiSdk(createFakeV4Model(tape)),
      tools: [lookup],
      agents: toChain(CHAIN),
      limits: { maxIterations: iterations },
      onEvent: () => {},
    })
    const startedMs = performance.now()
    const outcome = await session.send('Read them all.')
    timesMs.push(performance.now() - startedMs)
    if (
      outcome.type !== 'done' ||
      tape.modelCalls !== script.replies.length ||
      lookups !== script.lookups.length
    ) {
      const seen = `${tape.modelCalls} model calls, ${lookups} executions: ${outcome.text}`
      return { values: {}, problems: [`ended ${outcome.type} after ${seen}`] }
    }
  }
  const sorted = timesMs.slice(WARM_UP_TURNS).toSorted((a, b) => a - b)
  const medianMs = sorted[sorted.length >> 1]!
  return {
    values: {
      depth: CHAIN.length,
      iterations,
      usPerIteration: Number(((medianMs * 1000) / iterations).toFixed(2)),
    },
    problems: [],
  }
}

function toChain([id, ...rest]: readonly string[]): readonly AgentDefinition[] {
  if (id === undefined) return []
  return [
    {
      id,
      description: 'Reads entries, or has them read.',
      instructions: 'Read the entries you are asked for.',
      effectCeiling: 'read',
      agents: toChain(rest),
    },
  ]
}

/** One model serves all four runs: they never overlap, so its replies are one list. */
function toNestedScript(): Script {
  const work = toLoopScript(WORKLOADS.loop10)
  const delegations = CHAIN.map((id, depth) =>
    toReply([], [toCall(1000 + depth, `delegate_to_${id}`, { prompt: 'Read them all.' })]),
  )
  const reports = CHAIN.map(() => toReply([FINAL_TEXT]))
  return { ...work, replies: [...delegations, ...work.replies, ...reports] }
}
