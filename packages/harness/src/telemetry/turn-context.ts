import type { Context, Span, SpanContext } from '@opentelemetry/api'
import { ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api'
import type { CallId, RunId } from '@capstan/protocol'
import type { RunContext } from '../turn/run-context.ts'
import { callSpanIdOf, runSpanIdOf, traceIdOf } from './run-ids.ts'

/** The open spans of runs. A run that is parked or lost leaves with its context and is never exported. */
export type RunSpans = WeakMap<RunContext, Span>

/** The turn that a run belongs to. */
const turnOf = (run: RunContext): RunContext => run.root ?? run

/** The trace of the turn that a run belongs to. */
export const turnTraceIdOf = (run: RunContext): string => traceIdOf(turnOf(run).runId)

/** The context below the span of a run. */
export const belowRun = (run: RunContext, spans: RunSpans): Context =>
  below(run, runSpanIdOf(run.runId), spans)

/** The context below the span of a call, which is made when the call is over. */
export const belowCall = (
  run: RunContext,
  { runId, callId }: { readonly runId: RunId; readonly callId: CallId },
  spans: RunSpans,
): Context => below(run, callSpanIdOf(runId, callId), spans)

function below(run: RunContext, spanId: string, spans: RunSpans): Context {
  const turn = turnOf(run)
  // Sampling is decided once, for the whole turn.
  const traceFlags = spans.get(turn)?.spanContext().traceFlags ?? TraceFlags.NONE
  const parent: SpanContext = { traceId: traceIdOf(turn.runId), spanId, traceFlags }
  return trace.setSpanContext(ROOT_CONTEXT, parent)
}
