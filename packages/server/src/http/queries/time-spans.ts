import type { ReportApproval, ReportCallStatus, ReportStep, RunReport } from '@capstan/harness/ledger'
import type { TimeSpan } from '@capstan/protocol'

/**
 * When a run and the runs below it waited for their model, and when for a person. An open wait has no end. Tool calls
 * are in the ledger's own rows.
 */
export function timeSpansOf(report: RunReport): readonly TimeSpan[] {
  return report.steps.flatMap((step) => [
    ...ownSpans(step).map((span) => ({ runId: report.runId, ...span })),
    ...(step.type === 'call' ? step.runs.flatMap(timeSpansOf) : []),
  ])
}

function ownSpans(step: ReportStep): readonly Omit<TimeSpan, 'runId'>[] {
  if (step.type === 'iteration' && step.durationMs !== undefined)
    return [{ kind: 'model', startedAt: step.at, endedAt: step.at + step.durationMs }]
  if (step.type === 'resume' && step.after === 'wait')
    return [{ kind: 'waiting', startedAt: step.at - step.pausedMs, endedAt: step.at }]
  return step.type === 'call' ? step.approvals.flatMap((asked) => waitFor(asked, step.status)) : []
}

function waitFor(
  { askedAt, waitedMs }: ReportApproval,
  status: ReportCallStatus,
): readonly Omit<TimeSpan, 'runId'>[] {
  if (waitedMs !== undefined) return [{ kind: 'waiting', startedAt: askedAt, endedAt: askedAt + waitedMs }]
  return status === 'waiting' ? [{ kind: 'waiting', startedAt: askedAt }] : []
}
