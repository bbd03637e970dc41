// Three entry points.
export { createSession } from './entry-points/session/session.ts'
export type { QueueOptions, SendOptions, Session, SessionOptions } from './entry-points/session/session.ts'
export type { Submission, SubmitMode, SubmitOptions } from './entry-points/session/message-intake.ts'
export { createThreads } from './entry-points/threads/threads.ts'
export type { Threads, ThreadsOptions } from './entry-points/threads/threads.ts'
export { runStateless, streamStateless } from './entry-points/stateless-loop.ts'
export type { StatelessOptions } from './entry-points/stateless-loop.ts'
export { runSubAgent } from './entry-points/sub-agent.ts'
export type { Continuation, Parent, SubAgentResult, SubAgentTask } from './entry-points/sub-agent.ts'
export type { AgentOptions, LimitOptions } from './entry-points/agent-options.ts'
export type { AgentDefinition } from './agents/agent-definition.ts'

// Agents.
export { createBuiltInAgents } from './agents/built-in-agents.ts'
export type { BuiltInAgentOptions } from './agents/built-in-agents.ts'
export { loadAgents } from './agents/load-agents.ts'
export type { LoadAgentsOptions, LoadedAgents } from './agents/load-agents.ts'
export type { AgentProblem } from './agents/link-agents.ts'
export { createOrchestrator } from './agents/orchestrator.ts'
export type { OrchestratorOptions } from './agents/orchestrator.ts'
export { SUMMARISER } from './agents/summariser.ts'
export { TRIAGE } from './agents/triage.ts'
export { parseTriage } from './agents/parse-triage.ts'
export type { TriageAnswer, TriageDecision } from './agents/parse-triage.ts'

// Apps.
export { createIntegrations } from './integrations/integrations.ts'
export type { Integrations, IntegrationsOptions, UserApps } from './integrations/integrations.ts'
export type { Connections } from './integrations/connections/connections.ts'
export type { CallbackAnswer, SignInAnswer, Visitor } from './integrations/connections/sign-in-flow.ts'
export type { Directory } from './integrations/directory/directory.ts'
export type { DirectorySnapshot, ListedToolkit } from './integrations/directory/snapshot.ts'
export type { IntegrationsCounts, RefreshFailure } from './integrations/refresh-counts.ts'
export type { ToolkitMode } from './integrations/agent/integrations-agent.ts'

// Tools.
export { defineTool } from './turn/tool.ts'
export type { DescribedSchema, Effect, JsonSchema, Tool, ToolContext } from './turn/tool.ts'
export { fail, succeed } from './turn/tool-outcome.ts'
export type { OutcomeFacts, ToolMedia, ToolOutcome } from './turn/tool-outcome.ts'
export { createBuiltInTools } from './tools/built-in-tools.ts'
export type { BuiltInToolOptions } from './tools/built-in-tools.ts'
export { createAskUserTool } from './tools/ask-user.ts'
export { createClockTool } from './tools/clock.ts'
export { createExtractTool } from './tools/extract-from-result.ts'
export type { ExtractOptions } from './tools/extract-from-result.ts'
export { createFileTools } from './tools/files.ts'
export type { FileToolOptions } from './tools/files.ts'
export { createReadArtifactTool } from './tools/read-artifact.ts'
export { classifyCommand } from './tools/shell/command-class.ts'
export type { CommandClass, CommandVerdict } from './tools/shell/command-class.ts'
export { createShellTool } from './tools/shell.ts'
export type { ShellOptions } from './tools/shell.ts'
export { createWebFetchTool } from './tools/web-fetch.ts'
export type { WebFetchOptions } from './tools/web-fetch.ts'
export { defineWorkerTool } from './tools/worker-tool.ts'
export type { WorkerToolFields } from './tools/worker-tool.ts'
export { createToolSource } from './seams/tool-sources/tool-list.ts'
export { createLiveTools } from './seams/tool-sources/live-tools.ts'
export type { LiveTools } from './seams/tool-sources/live-tools.ts'

// Models.
export { createModel } from './models/create-model.ts'
export type { CreateModelOptions } from './models/create-model.ts'
export { fromAiSdk } from './models/ai-sdk-model.ts'
export { generateOnce, createAsker } from './models/generate-once.ts'
export type { Answer, Asker, Question } from './turn/asker.ts'
export { withFallback } from './models/fallback.ts'
export { fromIterable } from './models/from-iterable.ts'
export type { ModelAbilities, ModelClient, ModelPart, ModelRequest, OnPart } from './models/model-client.ts'
export type { Prices } from './models/prices.ts'

// Safety.
export type { SafetyOptions } from './entry-points/tool-services.ts'
export type { Policy, SafetyMode, ToolRule } from './tool-path/policy.ts'
export { createMemoryApprovals } from './ports/memory/memory-approvals.ts'
export type { MemoryApprovals } from './ports/memory/memory-approvals.ts'
export type { ApprovalAnswer, ApprovalGate, ApprovalRequest } from './ports/approval-gate.ts'
export { createMemoryAuditLog } from './ports/memory/memory-audit-log.ts'
export type { AuditLog, AuditRow } from './ports/audit-log.ts'
export { createFolderArtifacts } from './ports/artifacts/folder-artifacts.ts'
export { createMemoryArtifacts } from './ports/memory/memory-artifacts.ts'
export type { Artifact, ArtifactSlice, ArtifactStore, ArtifactWriter } from './ports/artifact-store.ts'

// Each stage of the tool path, for use by itself.
export { classifyOutcome } from './failures/classify.ts'
export { scrubSecrets } from './tool-path/scrub/scrub-secrets.ts'
export { createScrubStream } from './tool-path/scrub/scrub-stream.ts'
export { replayTrace } from './guards/replay-trace.ts'
export type { Replay, Trace } from './guards/replay-trace.ts'

// Dialects.
export { parseText } from './seams/parsers/parse-text.ts'
export type { ParsedText } from './seams/parsers/parse-text.ts'

// What travels.
export type {
  AssistantMessage,
  AssistantPart,
  CallPart,
  MediaPart,
  Message,
  NoticeMessage,
  ToolMessage,
  UserMessage,
} from './turn/message.ts'
export { callsOf, textOf } from './turn/message.ts'
export { parseStored, toStored } from './turn/stored-message.ts'
export type { StoredMessage } from './turn/stored-message.ts'
export type { ToolCall } from './turn/tool-call.ts'
export type { ToolResult } from './turn/tool-result.ts'
export type { Attachment, UserInput } from './context/media.ts'
export type { Delivery } from './turn/inbox.ts'
export type { BudgetLimits } from './turn/budget.ts'
export { sumUsage } from './turn/sum-usage.ts'
export type { CompactionProfile } from './turn/compaction-profile.ts'
export {
  ConfigurationError,
  ModelError,
  NotDeliveredError,
  StoppingError,
  StoreError,
  TurnInProgressError,
} from './turn/errors.ts'
export type { ModelErrorFacts, StoreProblem } from './turn/errors.ts'
export type { MaybePromise } from './turn/maybe-promise.ts'

// Seams, guards and ports, for those who bring their own.
export type {
  CappedTurn,
  Checkpoint,
  CheckpointStrategy,
  DisplayFilter,
  Offer,
  ParsedReply,
  ProgressReporter,
  ResponseParser,
  ToolSource,
  TurnObserver,
} from './seams/seams.ts'
export type { FinishReason, ModelReply, RawCall } from './turn/model-reply.ts'
export type { PrefixRecord } from './turn/prefix.ts'
export type { RunContext } from './turn/run-context.ts'
export type { Surface } from './turn/surface.ts'
export type { Clock } from './turn/clock.ts'
export { createDefaultGuards } from './guards/default-guards.ts'
export type { FinishedCall, Guard, Verdict } from './guards/guard.ts'
export type { StopHook } from './engine/stop-hook.ts'
export { createMemoryStore } from './ports/memory/memory-store.ts'
export type { Ledger, LedgerRecord, RecordOf, RunStart, StoredResult } from './ports/ledger.ts'
export type {
  ApprovalStore,
  RunCursor,
  RunQuery,
  RunStore,
  Store,
  StoredApproval,
  ThreadHit,
  ThreadQuery,
  ThreadStore,
} from './ports/store.ts'

// What a store is made of: rows derived from records, the same for every store.
export { withoutMediaBytes } from './ports/ledger.ts'
export { upgradeRecord } from './ports/upgrade-record.ts'
export type { OldRecord } from './ports/upgrade-record.ts'
export { makeFolder } from './ports/make-folder.ts'
export { isPending } from './ports/rows/approval-row.ts'
export { toCallRow } from './ports/rows/call-row.ts'
export type { RecordedCall } from './ports/rows/call-row.ts'
export {
  toEndedRow,
  toRunningRow,
  toWaitingRow,
  toResumedRow,
  toStartedRow,
  toTouchedThread,
} from './ports/rows/run-row.ts'
export { checkRunQuery } from './ports/rows/run-query.ts'
export { searchableText } from './ports/rows/searchable-text.ts'
export { toThreadTitle } from './ports/rows/thread-title.ts'

// The ledger read back.
export { explainRun, explainThread } from './ledger/explain-run.ts'
export type {
  RunReport,
  ReportApproval,
  ReportCall,
  ReportCallStatus,
  ReportCost,
  ReportEnding,
  ReportFailure,
  ReportIteration,
  ReportMessage,
  ReportPrefixBreak,
  ReportStep,
  ReportSubAgentCost,
} from './ledger/run-report.ts'
export { renderRunReport } from './ledger/render-run-report.ts'
export type { ReportLine, RenderReportOptions } from './ledger/render-run-report.ts'
export { toJsonl, toMarkdown } from './ledger/transcript.ts'
export { toCost, toCount, toDuration, toTokens } from './ledger/quantities.ts'
export type {
  Action,
  ActionCall,
  ConnectionState,
  Connector,
  SignIn,
  SignInCallback,
  SignInStep,
} from './ports/connector.ts'
export type {
  ConnectionChange,
  ConnectionStore,
  Secret,
  SecretVault,
  SignInFlow,
} from './ports/connection-store.ts'
export type {
  BusEvent,
  ConnectionsChanged,
  EventBus,
  ScopesChanged,
  ToolkitsChanged,
} from './ports/event-bus.ts'
export { createMemoryConnectionStore } from './ports/memory/memory-connection-store.ts'
export { createMemoryEventBus } from './ports/memory/memory-event-bus.ts'

// What connectors are made of.
export { canonicalJson } from './turn/digest.ts'
export { quietClock, systemClock } from './turn/clock.ts'
export { isPublicAddress } from './tools/web/is-public-address.ts'
export { cutText } from './text/cut-text.ts'
export { sanitizeLine, sanitizeText } from './text/untrusted-text.ts'
export type { JsonObject, JsonValue } from './turn/json.ts'
export { toJsonSchema } from './turn/tool.ts'
export { checkArguments } from './tool-path/check-arguments.ts'
export { toOutcome, toThrownOutcome } from './tool-path/to-outcome.ts'
export { bySlug, toSlug } from './integrations/directory/toolkit-slug.ts'
