import type { JobRow } from '@capstan/harness/stores'
import type { NotificationRow } from '@capstan/protocol'
import type { JobHandler } from '../jobs/job-handler.ts'
import type { Tell } from '../notifications/notifications.ts'
import type { RecordAudit } from '../sessions/record-audit.ts'
import type { DecideParts } from './decide-trigger.ts'
import { decideTrigger } from './decide-trigger.ts'
import type { TurnParts } from './start-turn.ts'
import { runTriggerTurn } from './start-turn.ts'
import { bodyOf, stateOf, toJson, TRIGGER_JOB } from './trigger-job.ts'
import type { TriggerState } from './trigger-job.ts'

const TIMEOUT_MS = 10 * 60_000

/** Decides what becomes of a trigger, once, and starts its turn, once. Both bear a kill at any point. */
export const createTriggerHandler = (
  parts: DecideParts &
    TurnParts & {
      readonly record: RecordAudit
      readonly tell: Tell
      readonly onProblem: (problem: unknown) => void
    },
): JobHandler => ({
  kind: TRIGGER_JOB,
  timeoutMs: TIMEOUT_MS,
  // Each time that no model answers is a failed attempt, and what was accepted is never given up.
  maxAttempts: Infinity,
  async run(job, run) {
    let state = stateOf(job)
    if (!state.decision) {
      const decided = await decideTrigger(job, run, parts)
      if ('later' in decided) return decided.later
      state = decided.state
      await run.save(toJson(state))
      const { action, by } = decided.state.decision!
      await parts.record(job.userId, 'trigger-decide', bodyOf(job).sourceId, { action, by, trigger: job.id })
    }
    const action = state.decision?.action
    if (action !== 'react' && action !== 'escalate') return { done: true, state: toJson(state) }
    if (action !== 'escalate') return runTriggerTurn(job, run, state, parts)
    // Told first: a kill in between tells nothing twice, and loses nothing.
    await parts.tell(job.userId, toTold(job, state))
    const result = await runTriggerTurn(job, run, state, parts)
    const after = result.state === undefined ? state : stateOf({ state: result.state })
    await parts.tell(job.userId, toTold(job, after)).catch(parts.onProblem)
    return result
  },
})

function toTold(job: JobRow, { decision, threadId }: TriggerState): NotificationRow {
  return {
    id: job.id,
    kind: 'trigger-escalated',
    name: bodyOf(job).envelope.label,
    at: decision!.at,
    ...(threadId !== undefined && { threadId }),
  }
}
