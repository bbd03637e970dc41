import { createSession, defineTool, fromAiSdk } from '@capstan/harness'
import { createFakeV4Model } from '../fakes/fake-v4-model.ts'
import { FINAL_TEXT, LOOKUP, toLoopScript } from '../script.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import { createTape } from '../tape.ts'
import { WORKLOADS } from '../workloads.ts'
import { answerOf } from './check-turn.ts'
import type { MeasuredExtra } from './extra.ts'

/** In this call every turn waits for all the others, so that they are certainly alive at once. */
const MEETING_CALL = 5

/** Many turns of ten iterations at once: how long all of them take, and what one that is under way holds. */
export async function measureConcurrentTurns(count: number): Promise<MeasuredExtra> {
  const { iterations } = WORKLOADS.loop10
  const script = toLoopScript(WORKLOADS.loop10)
  const met = Promise.withResolvers<void>()
  let arrived = 0
  let heapAtMeetingBytes = 0
  let meetingMs = 0

  const sessions = Array.from({ length: count }, () => {
    const tape = createTape(script, 'newest')
    const lookup = defineTool({
      name: LOOKUP,
      description: 'Reads one entry by its number.',
      input: INPUT_SCHEMA,
      effect: 'read',
      async run({ i }) {
        if (i === MEETING_CALL) {
          if (++arrived === count) {
            const startedMs = performance.now()
            heapAtMeetingBytes = heapUsedBytes()
            meetingMs = performance.now() - startedMs
            met.resolve()
          }
          await met.promise
        }
        return answerOf(Number(i))
      },
    })
    return createSession({
      model: fromAiSdk(createFakeV4Model(tape)),
      tools: [lookup],
      limits: { maxIterations: iterations + 1 },
      onEvent: () => {},
    })
  })
  const heapBeforeBytes = heapUsedBytes()
  const startedMs = performance.now()
  const outcomes = await Promise.all(sessions.map((session) => session.send('Read them all.')))
  const totalMs = performance.now() - startedMs - meetingMs
  const finished = outcomes.filter((outcome) => outcome.type === 'done' && outcome.text === FINAL_TEXT).length
  return {
    values: {
      turns: count,
      totalMs: Math.round(totalMs),
      usPerIteration: Number(((totalMs * 1000) / count / iterations).toFixed(2)),
      heapKbPerTurn: Number(((heapAtMeetingBytes - heapBeforeBytes) / count / 1024).toFixed(1)),
      peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
    },
    problems: finished === count ? [] : [`${finished} of ${count} turns came to their end`],
  }
}

function heapUsedBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
