import type { Threads } from '@capstan/harness'
import type { Integrations } from '@capstan/harness/integrations'
import type { Allowance } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import type {
  ApprovalRow,
  Confinement,
  ConnectionRow,
  Diagnostics,
  McpServerPatch,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  ModelTest,
  ProposedMapping,
  SecretPut,
  SecretRow,
  Settings,
  SettingsPatch,
  ThreadId,
  ThreadSummary,
  TurnEvent,
} from '@capstan/protocol'
import type { AuthOptions } from '../auth/auth.ts'
import type { Limiters } from '../http/limits/limiters.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Notifications } from '../notifications/notifications.ts'
import type { Schedules } from '../schedules/schedules.ts'
import type { DiskWatch } from './disk-watch.ts'
import type { HoldScope } from './stop-everything.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { Telemetry } from '../observe/telemetry/telemetry.ts'
import type { MemberLimits } from '../settings/member-limits.ts'
import type { StoredBytes } from './stored-bytes.ts'
import type { RecordAudit } from './record-audit.ts'
import type { MemorySync } from '../sync/memory-sync.ts'
import type { Triggers } from '../triggers/triggers.ts'
import type { Unattended } from '../unattended/unattended.ts'
import type { ThreadActions } from './thread-actions.ts'

/** One installation without HTTP: the interface that routes and sockets use. */
export interface Assistant {
  readonly store: Store
  readonly integrations: Integrations
  /** Work that is done without a person. */
  readonly jobs: Jobs
  /** Brings what connected apps hold into memory. */
  readonly sync: MemorySync
  /** What happens while nobody looks. */
  readonly triggers: Triggers
  /** Prompts that are run again and again. */
  readonly schedules: Schedules
  /** What people are told that nobody watched. */
  readonly notifications: Pick<Notifications, 'list' | 'see'>
  /** Whether the disk takes anything. */
  readonly disk: Pick<DiskWatch, 'check' | 'isFull'>
  readonly metrics: Metrics
  /** Absent when telemetry is off. */
  readonly telemetry?: Telemetry
  /** The threads of a user; the same object each time. */
  threadsOf(userId: string): Threads
  /** What this user does in their threads. The thread must be theirs. */
  actionsOf(userId: string): ThreadActions
  /** Starts turns that nobody watches. */
  readonly unattended: Unattended
  /** A thread with its activity. Undefined for an unknown thread and for one of another user. */
  summarise(userId: string, threadId: string): Promise<ThreadSummary | undefined>
  /** Calls the listener with every update, after it was stored. The result unsubscribes. */
  onUpdate(listener: (update: Update) => void): () => void
  readSettings(userId: string): Settings
  /** Rejects with a `ConfigurationError` that names the field; nothing changes then. */
  changeSettings(userId: string, patch: SettingsPatch): Promise<Settings>
  /** Stops every running turn and starts none until `release`. It survives a restart. Settles when nothing runs. */
  hold(scope: HoldScope): Promise<void>
  release(scope: HoldScope): Promise<void>
  /** Named secrets of users. Their values can be stored and never read. */
  readonly secrets: {
    list(userId: string): readonly SecretRow[]
    /** Rejects with a `ConfigurationError` that names the field; nothing changes then. */
    put(userId: string, name: string, secret: SecretPut): Promise<SecretRow>
    remove(userId: string, name: string): Promise<boolean>
  }
  testModel(userId: string, model?: string): Promise<ModelTest>
  listMcpServers(): readonly McpServerRow[]
  previewMcpServer(post: McpServerPost): McpServerPreview
  /** Rejects with a `ConfigurationError`, also when the command was not confirmed exactly as shown. */
  addMcpServer(userId: string, post: McpServerPost): Promise<McpServerRow>
  /** Undefined when there is no such server. Rejects with a `ConfigurationError`; nothing changes then. */
  changeMcpServer(userId: string, slug: string, patch: McpServerPatch): Promise<McpServerRow | undefined>
  removeMcpServer(userId: string, slug: string): Promise<boolean>
  /**
   * Mappings for an added server, guessed from its actions and from answers of those that only read. Nothing is changed. Rejects
   * when the server does not answer.
   */
  proposeMappings(
    userId: string,
    slug: string,
  ): Promise<readonly ProposedMapping[] | 'unknown' | 'not-connected' | 'no-reading'>
  /** Counts requests, with other nodes if there are any. */
  readonly limiters: Limiters
  /** What each member may use. */
  readonly limits: MemberLimits
  /** What a user may spend, and has spent. Await its `ready` first. */
  allowanceOf(userId: string): Allowance
  /** How much each user has stored. */
  readonly storedBytes: StoredBytes
  /** Stops the running and parked turns of a user. */
  stopTurns(userId: string): Promise<void>
  /** Starts a confined program for real. Never throws. */
  checkSandbox(): Promise<Confinement>
  /** Whether the claims of an MCP server about its actions count. */
  isTrusted(slug: string): boolean
  diagnose(): Promise<Diagnostics>
  /** Adds a line to the audit log, for what is changed outside of the assistant. */
  readonly record: RecordAudit
  /** With several nodes: where logins are, and the secret of the installation. For `openAuth`. */
  readonly shared?: AuthOptions['shared']
  /** Deletes the threads, permissions and connections of this user. */
  reset(userId: string): Promise<void>
  /** Running turns get the grace time; unfinished ones resume at the next start. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** A change that the pages of a user need to know, published after it was stored. */
export type Update = { readonly userId: string } & (
  | { readonly type: 'turn-event'; readonly event: TurnEvent }
  | { readonly type: 'thread-change'; readonly thread: ThreadSummary }
  | { readonly type: 'thread-remove'; readonly threadId: ThreadId }
  | { readonly type: 'approval-change'; readonly approval: ApprovalRow }
  | { readonly type: 'connection-change'; readonly connection: ConnectionRow }
  | { readonly type: 'toolkits-change' }
  | { readonly type: 'settings-change' }
  | { readonly type: 'jobs-change' }
  | { readonly type: 'memory-change' }
  /** Another node has stored events of this thread, up to this number. */
  | { readonly type: 'thread-advance'; readonly threadId: ThreadId; readonly seq: number }
  /** Updates of other nodes may have been lost: everything is to be read again. */
  | { readonly type: 'updates-missed' }
)
