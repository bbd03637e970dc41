import type { ReportStep, RunReport } from '@capstan/harness/ledger'
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
  switch (step.type) {
    case 'iteration': {
      const { at, durationMs } = step
      return durationMs === undefined ? [] : [{ kind: 'model', startedAt: at, endedAt: at + durationMs }]
    }
    case 'resume':
      if (step.after !== 'wait') return []
      return [{ kind: 'waiting', startedAt: step.at - step.pausedMs, endedAt: step.at }]
    case 'call':
      return step.approvals.flatMap(({ askedAt, waitedMs }) => {
        const isOpen = waitedMs === undefined && step.status === 'waiting'
        if (waitedMs === undefined && !isOpen) return []
        const end = waitedMs === undefined ? undefined : { endedAt: askedAt + waitedMs }
        return [{ kind: 'waiting' as const, startedAt: askedAt, ...end }]
      })
    default:
      return []
  }
}
