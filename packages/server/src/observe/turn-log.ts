import type { RunContext, TurnObserver } from '@capstan/harness/seams'
import { calmObserver, runSpanIdOf, traceIdOf } from '@capstan/harness/telemetry'
import type { RunId, TurnOutcome } from '@capstan/protocol'
import type { Logger } from 'pino'

/** Fields of a log line that name the span of a run. Empty when nothing is traced. */
export type TraceFields = (turn: RunId, runId?: RunId) => Readonly<Record<string, string>>

export const NO_TRACE: TraceFields = () => ({})

export const toTraceFields: TraceFields = (turn, runId = turn) => ({
  trace_id: traceIdOf(turn),
  span_id: runSpanIdOf(runId),
})

/** Logs how runs ended: failures as warnings, everything else for debugging. No contents. */
export function createTurnLog(logger: Logger, traceFields: TraceFields): TurnObserver {
  return calmObserver({
    turnEnded(run, outcome) {
      const level = outcome.type === 'failed' ? 'warn' : 'debug'
      logger[level](toFields(run, outcome, traceFields), run.parent ? 'a sub-agent ended' : 'a turn ended')
    },
    turnResumed({ runId, root }) {
      logger.debug({ runId, ...traceFields(root?.runId ?? runId, runId) }, 'a run was resumed')
    },
  })
}

const toFields = ({ runId, root, agent }: RunContext, outcome: TurnOutcome, traceFields: TraceFields) => ({
  runId,
  agent,
  outcome: outcome.type,
  iterations: outcome.iterations,
  ...(outcome.type === 'failed' ? { class: outcome.failure.class } : undefined),
  ...traceFields(root?.runId ?? runId, runId),
})
