export type { AuditAction, AuditCheck, AuditLine, AuditProblem, NumberedAuditLine } from './audit.ts'
export type { CallId, RunId, ThreadId } from './ids.ts'
export { EXPLAIN_KEYS } from './explain.ts'
export type { ExplainKey, ExplainLine, ExplainPart } from './explain.ts'
export { FAILURE_CATEGORIES } from './failure.ts'
export type { DiagnosticCheck, DiagnosticFinding, DiagnosticRemedy, Diagnostics } from './diagnostics.ts'
export type { FieldProblem } from './field-problem.ts'
export type {
  AttachmentProblem,
  Failure,
  FailureCategory,
  FailureClass,
  FailureDetail,
  FailureEvidence,
  FailureRemedy,
} from './failure.ts'
export { JOB_STATUSES } from './job.ts'
export type { JobPage, JobStatus, JobSummary } from './job.ts'
export type { SyncEstimate, SyncList, SyncProgress, SyncSettings, SyncView } from './sync.ts'
export { SYNC_BOUNDS } from './sync.ts'
export type { Notice, NoticeFact, NoticeKind } from './notice.ts'
export { isImageType, isTextType } from './media-types.ts'
export type { ModelReads } from './media-types.ts'
export {
  MAX_FACT_CHARS,
  MAX_FACTS,
  MAX_ITEMS_ADDED,
  MAX_ITEMS_FORGOTTEN,
  MAX_LISTED_CHARS,
} from './memory.ts'
export type {
  FactList,
  FactOrigin,
  FactStatus,
  FactPatch,
  MarkedText,
  MemoryFact,
  MemoryHitRow,
  MemoryItemPost,
  MemoryItemRow,
  MemoryPage,
  ForgottenApp,
  MemorySourceRow,
} from './memory.ts'
export {
  MAX_SCHEDULE_PROMPT_CHARS,
  MAX_SCHEDULE_TITLE_CHARS,
  MAX_WHEN_CHARS,
  MISFIRE_RULES,
  SCHEDULE_OUTCOMES,
} from './schedule.ts'
export type {
  MisfireRule,
  ScheduleLimits,
  ScheduleList,
  ScheduleOutcome,
  SchedulePatch,
  SchedulePost,
  SchedulePreview,
  ScheduleRow,
  ScheduleRun,
  ScheduleTiming,
} from './schedule.ts'
export { NO_USAGE, sumUsage } from './usage.ts'
export type { Spending, SpendingLimit, SpendingLimits, SpendingPeriod, AmountSpent } from './spending.ts'
export type { Usage } from './usage.ts'
export type {
  ApprovalDecision,
  Cap,
  GivenAnswer,
  HaltFacts,
  OpenCall,
  Origin,
  ParentCall,
  SubAgentStatus,
  TurnOutcome,
} from './run.ts'
export type { Grant, GrantBinding, GrantConstraints, GrantLifetime, HiddenValue } from './grant.ts'
export type { AttachmentRef, TurnEvent, TurnEventBody, TurnEventEnvelope } from './turn-event.ts'
export { QUEUE_MODES } from './ledger.ts'
export type {
  AnswerReceipt,
  ApprovalReason,
  FlowReason,
  ApprovalRow,
  CallRow,
  ReadSource,
  RunRow,
  RunStatus,
  QueueMode,
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
  ActionEffect,
  ActionRow,
  ToolkitRow,
} from './connection.ts'
export type {
  ApiProblem,
  ApiProblemCode,
  ApprovalList,
  ApprovalPost,
  ApprovalReceipt,
  ExactArguments,
  GrantList,
  GrantView,
  AttachmentPost,
  EventPage,
  Hold,
  MessageMode,
  MessagePost,
  MessageReceipt,
  ModelKeyState,
  ModelTest,
  RunDetail,
  RunPage,
  Settings,
  SecretPut,
  SecretRow,
  SettingsPatch,
  SignInReply,
  SnapshotStep,
  Stats,
  StatsDay,
  ThreadDetail,
  ThreadPage,
  ThreadSearchHit,
  ThreadSummary,
  ToolkitList,
  ActionEffectPut,
  ActionList,
  ToolkitView,
  Health,
  Ready,
  TimeSpan,
  TurnSnapshot,
} from './api.ts'
export type {
  Confinement,
  McpServerPatch,
  McpServerPost,
  McpServerPreview,
  ProposedMapping,
  McpServerRow,
  McpTransport,
  ServerFolder,
  ServerProfile,
} from './mcp-server.ts'
export type { SyncMapping } from './sync-mapping.ts'
export type { LoginRow, Me, MemberLink, MemberRow, Role, UserLimits, UserRights } from './people.ts'
export type { ClientEvents, ServerEvents, WatchReply } from './socket.ts'
export { NOTIFICATION_KINDS } from './notification.ts'
export type { NotificationKind, NotificationList, NotificationRow } from './notification.ts'
export { TRIGGER_ACTIONS, TRIGGER_SOURCE_KINDS, WEBHOOK_KINDS } from './trigger.ts'
export type {
  QuietHours,
  TriggerAction,
  TriggerBudget,
  TriggerDecision,
  TriggerDetail,
  TriggerExample,
  TriggerExampleList,
  TriggerFeedback,
  TriggerOutcome,
  TriggerPage,
  TriggerRow,
  TriggerSettings,
  TriggerSource,
  TriggerSourceCalls,
  TriggerSourceCreated,
  TriggerSourceFields,
  TriggerSourceKind,
  TriggerSourceList,
  TriggerSourcePost,
  TriggerWait,
  WebhookKind,
} from './trigger.ts'
export { WELCOME_PROMPTS } from './welcome.ts'
export type { WelcomePrompt } from './welcome.ts'
export { VERSION } from './version.ts'
