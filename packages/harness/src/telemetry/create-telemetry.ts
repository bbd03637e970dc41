import type { Tracer } from '@opentelemetry/api'
import type { RequestTracer } from '../ports/request-tracer.ts'
import type { TurnObserver } from '../seams/seams.ts'
import { calmObserver } from './calm-observer.ts'
import { createContentWriter } from './message-content.ts'
import { createRequestSpans } from './request-spans.ts'
import type { RunIds } from './run-ids.ts'
import type { RunSpans } from './turn-context.ts'
import { TurnSpans } from './turn-spans.ts'

/** Options of `createTelemetry`. */
export interface TelemetryOptions {
  /** Of a provider whose id generator is `ids`. */
  readonly tracer: Tracer
  readonly ids: RunIds
  /** Writes messages, arguments and results into the spans, scrubbed. Default: no contents. */
  readonly content?: boolean
}

/** What makes the spans of turns and of requests to MCP servers. */
export interface TurnTelemetry {
  /** For `AgentOptions.observers`. Never throws: a turn does not depend on its telemetry. */
  readonly observer: TurnObserver
  /** For connectors. */
  readonly requests: RequestTracer
}

/** Makes spans with the names of the OpenTelemetry conventions. Holds nothing of a run that is parked or over. */
export function createTelemetry({ tracer, ids, content }: TelemetryOptions): TurnTelemetry {
  const spans: RunSpans = new WeakMap()
  const turns = new TurnSpans({
    tracer,
    ids,
    spans,
    ...(content ? { content: createContentWriter() } : undefined),
  })
  return {
    observer: calmObserver({
      turnStarted: (run, start) => turns.turnStarted(run, start),
      turnResumed: (run) => turns.turnResumed(run),
      modelCalled: (run, call) => turns.modelCalled(run, call),
      callFinished: (run, finished) => turns.callFinished(run, finished),
      turnEnded: (run, outcome) => turns.turnEnded(run, outcome),
    }),
    requests: createRequestSpans(tracer, spans),
  }
}
