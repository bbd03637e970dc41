import { sanitizeLine } from '@capstan/harness/connectors'
import type { ScheduleRun } from '@capstan/protocol'
import type { UnattendedOutcome } from '../unattended/to-outcome.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { isOpen, toMessageId } from './schedule-job.ts'

const MAX_TEXT_CHARS = 300

/** The runs as they stand now. Those that are over are not read again. */
export function readRuns(
  schedule: { readonly id: string; readonly userId: string },
  runs: readonly ScheduleRun[],
  outcomeOf: Unattended['outcomeOf'],
): Promise<readonly ScheduleRun[]> {
  return Promise.all(
    runs.map(async (run) => {
      if (!isOpen(run) || run.threadId === undefined) return run
      const outcome = await outcomeOf(schedule.userId, run.threadId, toMessageId(schedule.id, run))
      return toRun(run, outcome)
    }),
  )
}

function toRun(run: ScheduleRun, outcome: UnattendedOutcome): ScheduleRun {
  if (outcome.type === 'gone') return { ...run, outcome: 'gone' }
  const known = { ...run, runId: outcome.runId }
  if (outcome.type === 'running' || outcome.type === 'waits') return { ...known, outcome: outcome.type }
  const text = sanitizeLine(outcome.text, MAX_TEXT_CHARS)
  if (outcome.type === 'ended') return { ...known, outcome: outcome.isCapped ? 'capped' : 'done', text }
  return { ...known, outcome: 'failed', text, ...(outcome.failure && { failure: outcome.failure }) }
}
