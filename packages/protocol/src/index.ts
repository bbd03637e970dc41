export type { CallId, RunId, ThreadId } from './ids.ts'
export { FAILURE_CATEGORIES } from './failure.ts'
export type { Failure, FailureCategory, FailureClass, FailureEvidence } from './failure.ts'
export type { Notice, NoticeFact, NoticeKind } from './notice.ts'
export { NO_USAGE, sumUsage } from './usage.ts'
export type { Usage } from './usage.ts'
export type {
  ApprovalDecision,
  Cap,
  HaltFacts,
  Origin,
  ParentCall,
  SubAgentStatus,
  TurnOutcome,
} from './run.ts'
export type { AttachmentRef, TurnEvent, TurnEventBody, TurnEventEnvelope } from './turn-event.ts'
export type {
  AnswerReceipt,
  ApprovalReason,
  ApprovalRow,
  CallRow,
  ReadSource,
  RunRow,
  RunStatus,
  ThreadRow,
  UsageRow,
  WaitsFor,
} from './ledger.ts'
export type {
  AppName,
  ConnectionReasonCode,
  ConnectionRow,
  ConnectionStatus,
  ScopeSettings,
  ToolkitRow,
} from './connection.ts'
export type {
  ApiProblem,
  ApiProblemCode,
  ApprovalList,
  ApprovalPost,
  ApprovalReceipt,
  AttachmentPost,
  DiagnosticCheck,
  Diagnostics,
  EventPage,
  ExplainLine,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  McpTransport,
  Me,
  MessageMode,
  MessagePost,
  MessageReceipt,
  ModelKeyState,
  ModelTest,
  RunDetail,
  RunPage,
  Settings,
  SettingsPatch,
  SignInReply,
  Stats,
  StatsDay,
  ThreadDetail,
  ThreadPage,
  ThreadSearchHit,
  ThreadSummary,
  ToolkitList,
  ToolkitView,
} from './api.ts'
export type { ClientEvents, ServerEvents, WatchReply } from './socket.ts'
export { WELCOME_PROMPTS } from './welcome.ts'
export type { WelcomePrompt } from './welcome.ts'
export { VERSION } from './version.ts'
