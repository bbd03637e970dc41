import type { ThreadLog } from '../../ports/thread-log.ts'
import type { TurnObserver } from '../seams.ts'

/** Writes the transcript: every message, result, price and outcome, of sub-agents too, as it happens. */
export function createThreadLogObserver(log: ThreadLog): TurnObserver {
  return {
    turnStarted({ threadId, runId, clock, agent, depth }) {
      return log.append(threadId, { v: 1, runId, at: clock.now(), type: 'run-start', agent, depth })
    },
    messageAppended({ threadId, runId, clock }, message) {
      return log.append(threadId, { v: 1, runId, at: clock.now(), type: 'message', message })
    },
    usageCounted({ threadId, runId, clock }, usage) {
      return log.append(threadId, { v: 1, runId, at: clock.now(), type: 'usage', usage })
    },
    callFinished({ threadId, runId, clock }, _call, result) {
      return log.append(threadId, { v: 1, runId, at: clock.now(), type: 'result', result })
    },
    turnEnded({ threadId, runId, clock }, outcome) {
      return log.append(threadId, { v: 1, runId, at: clock.now(), type: 'run-end', outcome })
    },
  }
}
