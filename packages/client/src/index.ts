export { createClient } from './create-client.ts'
export type { Client, ClientOptions } from './create-client.ts'
export { createApiClient } from './http/api-client.ts'
export type {
  ApiClient,
  ApiClientOptions,
  CallOptions,
  ExportFormat,
  PageQuery,
  RunQuery,
} from './http/api-client.ts'
export { ApiError } from './http/api-error.ts'
export type { ApiErrorCode } from './http/api-error.ts'
export type { ConnectionState, LiveConnection, UpdateEvents } from './live/live-connection.ts'
export type { StreamOptions } from './live/stream-thread.ts'
export type { WatchOptions, WatchState } from './live/thread-watch.ts'
export { appOf } from './view/app-of.ts'
export { foldEvents } from './view/fold-events.ts'
export { markInvisible } from './view/mark-invisible.ts'
export type { TextPart } from './view/mark-invisible.ts'
export { isOpenRow, rowsOf } from './view/rows-of.ts'
export type { Row } from './view/rows-of.ts'
export { EMPTY_THREAD, isAsking, isOpen, rootOf } from './view/thread-view.ts'
export type {
  Addition,
  AskedApproval,
  AskedConnection,
  Call,
  CallStatus,
  Item,
  Iteration,
  Note,
  Run,
  Streamed,
  ThreadView,
  Turn,
} from './view/thread-view.ts'
export { agentName, toName } from './view/to-name.ts'
export { holdTurn } from './view/hold-turn.ts'
export type { HeldState } from './view/hold-turn.ts'
export { openFailuresOf, wasConnectedSince } from './view/open-failures.ts'
export {
  answerOf,
  asksOf,
  callsOf,
  costOf,
  currentStepOf,
  openAsksOf,
  statusOf,
  workedMs,
} from './view/turn-view.ts'
export type { AnswerView, CurrentStep } from './view/turn-view.ts'
