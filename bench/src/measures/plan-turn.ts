import { answerOf } from '../answers.ts'
import { LOOKUP, toLoopScript, toNestedScript } from '../script.ts'
import type { Script } from '../script.ts'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'
import { createTape } from '../tape.ts'
import type { Workload } from '../workloads.ts'
import { checkTurn } from './check-turn.ts'

/** The turn of a workload, for one subject. */
export interface PlannedTurn {
  /** Model calls that ask for tools. */
  readonly iterations: number
  begin(): BegunTurn
}

/** One turn with its own tape. */
export interface BegunTurn {
  open(): Conversation | Promise<Conversation>
  /** Describes each difference from the script. */
  check(text: string): readonly string[]
}

const INSTRUCTIONS = 'Read the entries you are asked for with the lookup tool, then say that you are done.'

const AGENTS = ['first', 'second', 'third', 'fourth'] as const

/** `pause`: waited for in each model call. */
export function planTurn(subject: Subject, workload: Workload, pause?: () => Promise<void>): PlannedTurn {
  const chain = AGENTS.slice(0, workload.delegations ?? 0)
  const script =
    chain.length === 0
      ? toLoopScript(workload)
      : toNestedScript(
          workload,
          chain,
          subject.nested?.writeDelegation ?? ((agent) => ({ tool: agent, args: { i: 0 } })),
        )
  const iterations = workload.iterations + chain.length
  return { iterations, begin: () => begin(subject, workload, { chain, script, pause }) }
}

interface Plan {
  readonly chain: readonly string[]
  readonly script: Script
  readonly pause: (() => Promise<void>) | undefined
}

function begin(subject: Subject, workload: Workload, { chain, script, pause }: Plan): BegunTurn {
  const tape = createTape(script, 'newest', pause)
  const executed: number[] = []
  const deltas: string[] = []
  const lookup: BenchTool = {
    name: LOOKUP,
    description: 'Reads one entry by its number.',
    run({ i }) {
      executed.push(i)
      return answerOf(i, workload.answers)
    },
  }
  const stage: Stage = {
    instructions: INSTRUCTIONS,
    tools: [lookup],
    tape,
    maxIterations: script.replies.length,
    ...(workload.streams ? { onDelta: (delta: string) => void deltas.push(delta) } : undefined),
  }
  return {
    open: () => openChain(subject, stage, chain),
    check: (text) =>
      checkTurn(script, {
        text,
        modelCalls: tape.modelCalls,
        executed,
        shortens: subject.shortens ?? false,
        ...(chain.length === 0 ? { lastRequest: tape.lastRequest(), answers: workload.answers } : undefined),
        ...(workload.streams ? { deltas, joinsDeltas: subject.joinsDeltas ?? false } : undefined),
      }),
  }
}

/** Sub-agents of the subject itself, or a tool that opens the next conversation. */
function openChain(
  subject: Subject,
  stage: Stage,
  chain: readonly string[],
): Conversation | Promise<Conversation> {
  const [agent, ...rest] = chain
  if (agent === undefined) return subject.open(stage)
  if (subject.nested) return subject.nested.open(stage, chain)
  return subject.open({
    ...stage,
    tools: [
      {
        name: agent,
        description: 'Reads entries, or has them read.',
        async run() {
          const child = await openChain(subject, stage, rest)
          const text = await child.send('Read them all.')
          await child.close?.()
          return text
        },
      },
    ],
  })
}
