import type { Integrations, Store, Threads } from '@capstan/harness'
import type {
  ApprovalRow,
  ConnectionRow,
  Diagnostics,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  ModelTest,
  Settings,
  SettingsPatch,
  ThreadId,
  ThreadSummary,
  TurnEvent,
} from '@capstan/protocol'

/** Everything of one installation, with no HTTP in it: what routes and sockets ask. */
export interface Assistant {
  readonly store: Store
  readonly integrations: Integrations
  /** The same threads for the same user. A turn that was interrupted is taken up when the assistant starts. */
  threadsOf(userId: string): Threads
  /** A thread with what goes on in it. */
  summarise(userId: string, threadId: string): Promise<ThreadSummary | undefined>
  /** Hears what happens, after it was stored. The result stops it. A listener must not throw. */
  onUpdate(listener: (update: Update) => void): () => void
  readSettings(userId: string): Settings
  /** Rejects with a `ConfigurationError` that names the field; nothing is changed then. */
  changeSettings(userId: string, patch: SettingsPatch): Promise<Settings>
  testModel(userId: string, model?: string): Promise<ModelTest>
  listMcpServers(): readonly McpServerRow[]
  previewMcpServer(post: McpServerPost): McpServerPreview
  /** Rejects with a `ConfigurationError`; a command that was not confirmed as shown is refused. */
  addMcpServer(userId: string, post: McpServerPost): Promise<McpServerRow>
  removeMcpServer(userId: string, slug: string): Promise<boolean>
  diagnose(): Promise<Diagnostics>
  /** Takes threads and connections of this user away. */
  reset(userId: string): Promise<void>
  /** Running turns get the grace time; the rest goes on at the next start. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** Something a page of this user should know. */
export type Update = { readonly userId: string } & (
  | { readonly type: 'turn-event'; readonly event: TurnEvent }
  | { readonly type: 'thread-change'; readonly thread: ThreadSummary }
  | { readonly type: 'thread-remove'; readonly threadId: ThreadId }
  | { readonly type: 'approval-change'; readonly approval: ApprovalRow }
  | { readonly type: 'connection-change'; readonly connection: ConnectionRow }
  | { readonly type: 'toolkits-change' }
  | { readonly type: 'settings-change' }
)
