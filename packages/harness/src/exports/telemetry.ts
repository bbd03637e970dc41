// Spans of turns for OpenTelemetry. The program brings the SDK.
export { calmObserver } from '../telemetry/calm-observer.ts'
export { createTelemetry } from '../telemetry/create-telemetry.ts'
export type { TelemetryOptions, TurnTelemetry } from '../telemetry/create-telemetry.ts'
export { toModelName } from '../telemetry/model-name.ts'
export type { ModelName } from '../telemetry/model-name.ts'
export { ATTRIBUTE, CONVENTIONS, METRIC, OPERATION } from '../telemetry/names.ts'
export { RunIds, runSpanIdOf, traceIdOf } from '../telemetry/run-ids.ts'
export { parseTraceparent } from '../telemetry/traceparent.ts'
