import type { ThreadEntry, ThreadLog } from '../../ports/thread-log.ts'
import type { RunContext } from '../../turn/run-context.ts'
import type { TurnObserver } from '../seams.ts'

type Happening = ThreadEntry extends infer Entry
  ? Entry extends unknown
    ? Omit<Entry, 'v' | 'runId' | 'at'>
    : never
  : never

/** Writes the transcript: every message, result, price and outcome, of sub-agents too, as it happens. */
export function createThreadLogObserver(log: ThreadLog): TurnObserver {
  const record = (run: RunContext, happening: Happening) =>
    log.append(run.threadId, { v: 1, runId: run.runId, at: run.clock.now(), ...happening })
  return {
    turnStarted: (run) => record(run, { type: 'run-start', agent: run.agent, depth: run.depth }),
    messageAppended: (run, message) => record(run, { type: 'message', message }),
    usageCounted: (run, usage) => record(run, { type: 'usage', usage }),
    callFinished: (run, _call, result) => record(run, { type: 'result', result }),
    turnEnded: (run, outcome) => record(run, { type: 'run-end', outcome }),
  }
}
