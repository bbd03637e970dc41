import type { Failure, SnapshotStep, TurnSnapshot } from '@capstan/protocol'
import type { ReportCall, ReportStep, RunReport } from './run-report.ts'

/** A run as one value: what a client shows that does not fold events. Says the same as the events of the run. */
export function toSnapshot(report: RunReport): TurnSnapshot {
  const failure = failureOf(report)
  return {
    status: report.status,
    iterations: report.iterations,
    steps: stepsOf(report, 0),
    ...(failure ? { failure } : undefined),
    usage: report.cost.total,
  }
}

function failureOf({ stopped: { outcome } }: RunReport): Failure | undefined {
  return outcome?.type === 'failed' || outcome?.type === 'halted' ? outcome.failure : undefined
}

function stepsOf(report: RunReport, depth: number): readonly SnapshotStep[] {
  return report.steps
    .filter((step): step is ReportCall & ReportStep => step.type === 'call')
    .flatMap((call) => [
      toStep(call, report, depth),
      ...call.runs.flatMap((below) => stepsOf(below, depth + 1)),
    ])
}

function toStep(
  call: ReportCall & { readonly at: number },
  { runId }: RunReport,
  depth: number,
): SnapshotStep {
  const { callId, tool, label, detail, at, durationMs, failure } = call
  return {
    runId,
    callId,
    depth,
    tool,
    label,
    ...(detail === undefined ? undefined : { detail }),
    status: stepStatusOf(call),
    at,
    ...(durationMs === undefined ? undefined : { durationMs }),
    ...(failure ? { failure } : undefined),
  }
}

/** The step of the sub-agent says that it waits; the call it works for runs. */
const stepStatusOf = ({ status, runs }: ReportCall): SnapshotStep['status'] =>
  status === 'waiting' && runs.length > 0 ? 'running' : status
