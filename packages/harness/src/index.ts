// The three entry points, and what every program needs: sessions, tools, models, safety. The rest is in the subpaths.
export { createSession } from './entry-points/session/session.ts'
export type { QueueOptions, SendOptions, Session, SessionOptions } from './entry-points/session/session.ts'
export type {
  ContinueOptions,
  Submission,
  SubmitMode,
  SubmitOptions,
} from './entry-points/session/message-intake.ts'
export { createThreads } from './entry-points/threads/threads.ts'
export type { Threads, ThreadsOptions } from './entry-points/threads/threads.ts'
export type { WordAnswer, WordOptions } from './entry-points/threads/answer-in-words.ts'
export { runStateless, streamStateless } from './entry-points/stateless-loop.ts'
export type { StatelessOptions } from './entry-points/stateless-loop.ts'
export { runSubAgent, streamSubAgent } from './entry-points/sub-agent.ts'
export type { SubAgentOfProgram, SubAgentOfTool } from './entry-points/sub-agent.ts'
export type { Continuation, SubAgentResult, SubAgentTask } from './entry-points/child-run.ts'
export type { AgentOptions, LimitOptions, TurnOptions } from './entry-points/agent-options.ts'
export type { AgentDefinition } from './agents/agent-definition.ts'
export { defineTool } from './turn/tool/tool.ts'
export type { Effect, JsonSchema, Tool, ToolContext } from './turn/tool/tool.ts'
export { fail, succeed } from './turn/tool/tool-outcome.ts'
export type { OutcomeFacts, ToolMedia, ToolOutcome } from './turn/tool/tool-outcome.ts'
export { createToolSource } from './seams/tool-sources/tool-list.ts'
export { createLiveTools } from './seams/tool-sources/live-tools.ts'
export type { AgentSettings } from './agents/agent-settings.ts'
export { createModel } from './models/create-model.ts'
export { fromAiSdk } from './models/ai-sdk-model.ts'
export type { ModelClient } from './models/model-client.ts'
export type { ModelOptions } from './turn/model-options.ts'
export type { SafetyOptions } from './entry-points/tool-services.ts'
export type { PolicyFunction, SafetyMode, ToolRule } from './tool-path/policy.ts'
export type { Message } from './turn/message/message.ts'
export { textOf } from './turn/message/message.ts'
export type { OutcomeWith, OutputSchema } from './turn/output-schema.ts'
export type { Attachment, UntrustedPart, UserInput } from './context/media.ts'
export type { Unattended, UnattendedOrigin } from './turn/unattended.ts'
export type { Delivery } from './turn/message/inbox.ts'
export {
  ConfigurationError,
  ModelError,
  NotDeliveredError,
  HeldError,
  StoppingError,
  StoreError,
  TurnInProgressError,
} from './turn/errors.ts'
