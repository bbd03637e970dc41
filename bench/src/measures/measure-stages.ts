import { readFileSync } from 'node:fs'
import type { CallId } from '@capstan/protocol'
import { defineTool } from '@capstan/harness'
import { scrubSecrets } from '@capstan/harness/stages'
import { createTestPath, createTestRun } from '@capstan/harness/testing'
import { classifyOutcome } from '../../../packages/harness/src/failures/classify.ts'
import { createDefaultGuards } from '../../../packages/harness/src/guards/default-guards.ts'
import { checkArguments } from '../../../packages/harness/src/tool-path/check-arguments.ts'
import { compactOutput } from '../../../packages/harness/src/tool-path/compact/compact-output.ts'
import { decide } from '../../../packages/harness/src/tool-path/policy.ts'
import { runToolCall } from '../../../packages/harness/src/tool-path/run-tool-call.ts'
import { scrubValue } from '../../../packages/harness/src/tool-path/scrub-value.ts'
import { systemClock } from '../../../packages/harness/src/turn/clock.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import type { MeasuredExtra } from './extra.ts'

const CALLS = 20_000
const REPEATS = 5

/** What each stage of the tool path costs by itself, in microseconds, on a small call and on a 16 KB result. */
export async function measureStages(): Promise<MeasuredExtra> {
  const tool = defineTool({
    name: 'lookup',
    description: 'Reads one entry by its number.',
    input: INPUT_SCHEMA,
    effect: 'read',
    run: ({ i }) => `entry ${Number(i)}`,
  })
  const run = createTestRun({ clock: systemClock })
  const path = createTestPath([tool], { run })
  const guards = createDefaultGuards()
  const page = readFileSync(new URL(import.meta.url), 'utf8')
    .repeat(8)
    .slice(0, 16_384)
  const values = {
    wholeCall: await time((i) =>
      runToolCall({ id: `c${i}` as CallId, tool: 'lookup', arguments: { i } }, path),
    ),
    announce: await time((i) => run.report({ type: 'iteration-start', iteration: i, maxIterations: 9 })),
    scrubArguments: await time((i) => void scrubValue({ i })),
    checkArguments: await time((i) => void checkArguments(tool, { i })),
    policy: await time(() => void decide(path.services.policy, 'lookup', 'read')),
    scrubResult: await time((i) => void scrubSecrets(`entry ${i}`)),
    scrub16Kb: await time(() => void scrubSecrets(page), CALLS / 100),
    compactSmall: await time((i) => void compactOutput(`entry ${i}`, SMALL)),
    compact16Kb: await time(() => void compactOutput(page, SMALL), CALLS / 100),
    classifyFact: await time(() => void classifyOutcome({ httpStatus: 404, text: 'Not Found' })),
    classifyText: await time(
      () => void classifyOutcome({ text: 'the access token has expired' }),
      CALLS / 10,
    ),
    guards: await time((i) => {
      const call = { id: `c${i}` as CallId, tool: 'lookup', arguments: { i } }
      const text = `entry ${i}`
      const result = {
        callId: call.id,
        tool: 'lookup',
        ok: true,
        text,
        durationMs: 0,
        outputBytes: text.length,
        effect: 'read' as const,
      }
      for (const guard of guards) guard.beforeCalls?.({ text: '', calls: [call] })
      for (const guard of guards) guard.afterCall?.({ call, result, polls: false })
    }),
  }
  return { values, problems: [] }
}

const SMALL = { tool: 'lookup', command: undefined, ok: true, profile: 'full' } as const

/** The best of a few runs: what the stage costs when nothing else disturbs it. */
async function time(stage: (i: number) => unknown, calls = CALLS): Promise<number> {
  let best = Infinity
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const startedAt = performance.now()
    for (let i = 0; i < calls; i++) {
      const waiting = stage(i)
      if (waiting instanceof Promise) await waiting
    }
    best = Math.min(best, ((performance.now() - startedAt) * 1_000) / calls)
  }
  return Number(best.toFixed(3))
}
