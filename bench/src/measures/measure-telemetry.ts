import { trace } from '@opentelemetry/api'
import type { TurnObserver } from '@capstan/harness/seams'
import { createTelemetry, RunIds } from '@capstan/harness/telemetry'
import { createSession, defineTool } from '@capstan/harness'
import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import { answerOf } from '../answers.ts'
import { FINAL_TEXT, LOOKUP, toLoopScript } from '../script.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import { createTape } from '../tape.ts'
import { WORKLOADS } from '../workloads.ts'
import type { MeasuredExtra } from './extra.ts'

const PAIRS = 60
const TURNS = 20

/**
 * What telemetry costs an iteration, in per cent of one without it: `off` as the server runs without a collector, which
 * gives the turn no observer; `noSdk` with the observer, but no SDK behind the tracer. `control` is the same twice: how
 * far two equal measurements differ here. Medians of pairs of processor time.
 */
export async function measureTelemetry(): Promise<MeasuredExtra> {
  const noSdk = createTelemetry({ tracer: trace.getTracer('bench'), ids: new RunIds() }).observer
  const off: readonly TurnObserver[] = []
  for (let pair = 0; pair < 10; pair++)
    for (const observers of [undefined, off, [noSdk]]) await run(observers)
  const values = {
    controlPercent: await compare(undefined, undefined),
    offPercent: await compare(undefined, off),
    noSdkPercent: await compare(undefined, [noSdk]),
  }
  return { values, problems: [] }
}

async function compare(
  without: readonly TurnObserver[] | undefined,
  with_: readonly TurnObserver[] | undefined,
): Promise<number> {
  const differences: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const isSwapped = pair % 2 === 1
    const first = await run(isSwapped ? with_ : without)
    const second = await run(isSwapped ? without : with_)
    const [base, more] = isSwapped ? [second, first] : [first, second]
    differences.push((more / base - 1) * 100)
  }
  return Number(differences.toSorted((a, b) => a - b)[PAIRS >> 1]!.toFixed(2))
}

async function run(observers: readonly TurnObserver[] | undefined): Promise<number> {
  const script = toLoopScript(WORKLOADS.loop10)
  const before = process.cpuUsage()
  for (let turn = 0; turn < TURNS; turn++) {
    const session = createSession({
      model: createFakeModelClient(createTape(script, 'newest')),
      tools: [
        defineTool({
          name: LOOKUP,
          description: 'Reads one entry by its number.',
          input: INPUT_SCHEMA,
          effect: 'read',
          run: ({ i }) => answerOf(Number(i)),
        }),
      ],
      limits: { maxIterations: WORKLOADS.loop10.iterations + 1 },
      onEvent: () => {},
      ...(observers ? { observers } : undefined),
    })
    const { text } = await session.send('Read them all.')
    if (text !== FINAL_TEXT) throw new Error(text)
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}
