import type { RunId, ThreadId, TurnEvent } from '@capstan/protocol'
import { ThreadFlow } from '../data-flow/thread-flow.ts'
import { Budget } from '../turn/budget.ts'
import { DoneWrites } from '../turn/done-writes.ts'
import { EventLine } from '../turn/event-line.ts'
import { Refusals } from '../turn/refusals.ts'
import type { RunContext } from '../turn/run-context.ts'
import { SideEffects } from '../turn/side-effects.ts'
import { createTestClock } from './test-clock.ts'

/** A run context without an entry point, for tests of the parts of a run. */
export function createTestRun(
  more: Partial<RunContext> & { readonly onEvent?: (event: TurnEvent) => void } = {},
): RunContext {
  const { onEvent = () => {}, ...given } = more
  const clock = given.clock ?? createTestClock()
  const runId = 'run_test' as RunId
  const line = new EventLine('thread_test' as ThreadId, clock, { report: onEvent })
  return {
    threadId: line.threadId,
    runId,
    conversationId: line.threadId,
    agent: 'test',
    depth: 0,
    origin: 'web',
    effectCeiling: 'admin',
    signal: new AbortController().signal,
    budget: new Budget({}, clock),
    clock,
    refusals: new Refusals(),
    sideEffects: new SideEffects(),
    done: new DoneWrites(),
    flow: new ThreadFlow(),
    line,
    report: (event) => line.report(runId, event),
    ...given,
  }
}
