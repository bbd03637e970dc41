// The five seams, guards and the values they see, for programs that bring their own.
export type { StopHook } from '../engine/stop-hook.ts'
export type { ModelLimits, TurnLimits } from '../engine/turn.ts'
export { createDefaultGuards } from '../guards/default-guards.ts'
export type { AskedReply, Guard, Verdict } from '../guards/guard.ts'
export type { Dialect } from '../seams/parsers/choose-parser.ts'
export type {
  CallAudit,
  CallIntent,
  CappedTurn,
  Checkpoint,
  CheckpointStrategy,
  DisplayFilter,
  ModelCall,
  Offer,
  ParsedCall,
  ParsedReply,
  ProgressReporter,
  RecordedCall,
  ResponseParser,
  ToolSource,
  TurnObserver,
  TurnStart,
} from '../seams/seams.ts'
export type { LiveTools, LiveToolsOptions } from '../seams/tool-sources/live-tools.ts'
export type { PolicyCall, PolicyContext } from '../tool-path/policy.ts'
export type { ToolLimits } from '../tool-path/tool-path.ts'
export type { Archive } from '../turn/archive.ts'
export { Allowance } from '../turn/allowance.ts'
export type { Budget, BudgetLimits } from '../turn/budget.ts'
export { quietClock, systemClock } from '../turn/clock.ts'
export type { Clock } from '../turn/clock.ts'
export type { CompactionProfile } from '../turn/tool/compaction-profile.ts'
export type { EventLine } from '../turn/event-line.ts'
export type { FinishedCall } from '../turn/tool/finished-call.ts'
export type { JsonObject, JsonValue } from '../turn/json.ts'
export type { MaybePromise } from '../turn/maybe-promise.ts'
export type { MediaStore } from '../turn/message/media-store.ts'
export type { MediaLimits } from '../turn/message/media.ts'
export { callsOf } from '../turn/message/message.ts'
export type {
  AssistantMessage,
  AssistantPart,
  CallPart,
  MediaPart,
  NoticeMessage,
  ProviderExtras,
  ReasoningPart,
  TextPart,
  ToolMessage,
  UserMessage,
  UserPart,
} from '../turn/message/message.ts'
export type { ModelReply, RawCall } from '../turn/message/model-reply.ts'
export type { OutputOf, ResultOf } from '../turn/output-schema.ts'
export type { PrefixBreak, PrefixRecord } from '../turn/message/prefix.ts'
export type { Refusals } from '../turn/refusals.ts'
export type { RunContext } from '../turn/run-context.ts'
export { createSurface } from '../turn/tool/surface.ts'
export type { AskedCall, Surface, Target } from '../turn/tool/surface.ts'
export type { ToolCall } from '../turn/tool/tool-call.ts'
export type { ToolResult } from '../turn/tool/tool-result.ts'
export { toJsonSchema } from '../turn/tool/tool.ts'
export type { DataLabel, DescribedSchema } from '../turn/tool/tool.ts'
export type { Notice, NoticeFact } from '@capstan/protocol'
