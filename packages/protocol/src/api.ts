import type { ConnectionRow, ScopeSettings, ToolkitRow } from './connection.ts'
import type { Failure, FailureClass } from './failure.ts'
import type { RunId } from './ids.ts'
import type { AnswerReceipt, ApprovalRow, CallRow, RunRow, ThreadRow, UsageRow } from './ledger.ts'
import type { ApprovalDecision } from './run.ts'
import type { TurnEvent } from './turn-event.ts'

// Bodies of the HTTP API. HTTP sends commands; the socket delivers events: see `socket.ts`.

/** Every refusal of the server has this body. A foreign id answers like an unknown one. */
export interface ApiProblem {
  readonly error: {
    readonly code: ApiProblemCode
    /** One plain sentence in English; screens word it by `code` where they can. */
    readonly message: string
    /** Which field of the body or the query was not accepted. */
    readonly field?: string
    readonly retryAfterMs?: number
  }
}

/** Why the server refused a request. */
export type ApiProblemCode =
  | 'invalid'
  | 'signed_out'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'internal'

/** Who is logged in, and the version of the server. */
export interface Me {
  readonly userId: string
  readonly version: string
}

/** A thread, and whether something goes on in it. */
export interface ThreadSummary extends ThreadRow {
  readonly activity?: 'running' | 'waiting'
}

/** A page of threads. */
export interface ThreadPage {
  readonly threads: readonly ThreadSummary[]
  /** Pass it as `before` for the next page; absent on the last one. */
  readonly next?: number
}

/** A thread that a search found. */
export interface ThreadSearchHit {
  readonly thread: ThreadRow
  readonly excerpt: string
}

/** A thread, and how far its events go. */
export interface ThreadDetail {
  readonly thread: ThreadSummary
  /** The number of the newest event. */
  readonly lastSeq: number
}

/** A page of events of a thread. */
export interface EventPage {
  readonly events: readonly TurnEvent[]
  readonly lastSeq: number
}

/**
 * How a message meets a turn that is running: `send` is refused, `steer` reaches the model before its next call,
 * `follow-up` becomes the next turn, `interrupt` ends what is running and goes instead.
 */
export type MessageMode = 'send' | 'steer' | 'follow-up' | 'interrupt'

/** A message to send. */
export interface MessagePost {
  readonly text: string
  /** The client's own id: sent twice, it is one turn. */
  readonly messageId: string
  readonly mode?: MessageMode
  readonly attachments?: readonly AttachmentPost[]
}

/** An image or a file that is sent with a message. */
export interface AttachmentPost {
  readonly name: string
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** The message is safe. `runId` is absent when it waits for the turn that is running. */
export interface MessageReceipt {
  readonly runId?: RunId
}

/** A page of turns, the newest first. */
export interface RunPage {
  readonly runs: readonly RunRow[]
  /** When the last run of this page started. As `before` it may leave out runs of the same millisecond. */
  readonly next?: number
  /** Send it as `cursor` to get the next page. Absent on the last page. */
  readonly nextCursor?: string
}

/** One run with everything below it. */
export interface RunDetail {
  readonly run: RunRow
  /** Parents first, the run itself included. */
  readonly tree: readonly RunRow[]
  readonly calls: readonly CallRow[]
  /** What happened, told without a model. */
  readonly explanation: readonly ExplainLine[]
  readonly prefixBreaks: readonly { readonly field: string; readonly reason: string }[]
}

/** A line of the report of a run. */
export interface ExplainLine {
  /** Absent: a plain line. A call's line has how it ended. */
  readonly kind?:
    | 'heading'
    | 'fact'
    | 'step'
    | 'note'
    | 'reason'
    | 'ok'
    | 'failed'
    | 'stopped'
    | 'unknown'
    | 'waiting'
    | 'running'
  readonly depth: number
  readonly text: string
  /** How long it took, in words. */
  readonly time?: string
}

/** Tokens, money and failures over the last days. */
export interface Stats {
  readonly days: readonly StatsDay[]
  readonly models: readonly UsageRow[]
  readonly failures: readonly { readonly class: FailureClass; readonly count: number }[]
  /** Of the model calls: how many kept the whole prompt prefix of the one before. */
  readonly prefix: { readonly calls: number; readonly breaks: number }
}

/** What was used on one day. */
export interface StatsDay {
  /** `2026-11-16`, in the server's time zone. */
  readonly day: string
  readonly turns: number
  readonly failed: number
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  readonly usd: number
}

/** The answer to an approval. */
export interface ApprovalPost {
  readonly decision: Exclude<ApprovalDecision, 'expired'>
}

/** What became of an answer. */
export interface ApprovalReceipt {
  readonly receipt: AnswerReceipt
}

/** The approvals of a user. */
export interface ApprovalList {
  readonly approvals: readonly ApprovalRow[]
}

/** An app as the Connections page shows it. */
export interface ToolkitView extends ToolkitRow {
  readonly connections: readonly ConnectionRow[]
  readonly scopes: ScopeSettings
  /** Added by the user, who may remove it. */
  readonly isOwn: boolean
}

/** The apps of a user. */
export interface ToolkitList {
  /** False: the list could not be brought up to date, and is what was known last. */
  readonly authoritative: boolean
  readonly toolkits: readonly ToolkitView[]
}

/** Where a person signs in. */
export type SignInReply =
  /** Open this address: the service asks the person there. */
  | { readonly type: 'visit'; readonly url: string }
  /** The service wants a key: post it to `/api/connections/:id/key`. */
  | { readonly type: 'key' }
  | { readonly type: 'settled'; readonly connection: ConnectionRow }

/** How an MCP server is reached. */
export type McpTransport =
  | { readonly type: 'http'; readonly url: string }
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[] }

/** An MCP server to add. */
export interface McpServerPost {
  readonly name: string
  readonly transport: McpTransport
  /** For a command: exactly what `McpServerPreview.command` showed. Without it nothing is started. */
  readonly confirmedCommand?: string
}

/** What would be started, before anything is. */
export interface McpServerPreview {
  readonly slug: string
  readonly command?: string
}

/** An MCP server that was added. */
export interface McpServerRow {
  readonly slug: string
  readonly name: string
  readonly transport: McpTransport
}

/** What the user set, and what is so on this machine. Keys of models and apps are never sent back. */
export interface Settings {
  /** Blank: the scripted demo model, or the first key that is set. */
  readonly model: string
  /** What is really in use, and why. */
  readonly modelInUse: {
    readonly name: string
    readonly isDemo: boolean
    readonly from: 'settings' | 'environment' | 'demo'
  }
  readonly modelKeys: readonly ModelKeyState[]
  readonly safetyMode: 'read-only' | 'supervised' | 'full'
  /** Folders whose files the assistant may work with. */
  readonly roots: readonly string[]
  /** Hosts that may be read although the data-flow rule would ask: `example.com`, `*.example.com`. */
  readonly hosts: readonly string[]
  readonly language: string
  readonly theme: 'system' | 'light' | 'dark'
  readonly reduceMotion: boolean
  readonly composio: { readonly isSet: boolean }
  readonly dataFolder: string
  readonly version: string
  readonly demoApp: boolean
}

/** Whether a key for a provider is set, and where. */
export interface ModelKeyState {
  readonly provider: 'openai' | 'anthropic' | 'google' | 'compatible'
  readonly from?: 'settings' | 'environment'
}

/** Any field alone. A blank key takes it away. */
export interface SettingsPatch {
  readonly model?: string
  readonly modelKeys?: Partial<Readonly<Record<ModelKeyState['provider'], string>>>
  readonly safetyMode?: Settings['safetyMode']
  readonly roots?: readonly string[]
  readonly hosts?: readonly string[]
  readonly language?: string
  readonly theme?: Settings['theme']
  readonly reduceMotion?: boolean
  readonly composioKey?: string
}

/** Whether a model answered. */
export interface ModelTest {
  readonly ok: boolean
  readonly model: string
  readonly durationMs: number
  readonly failure?: Failure
}

/** What the diagnostics found. */
export interface Diagnostics {
  readonly checks: readonly DiagnosticCheck[]
}

/** One part of the installation. `id` names it for the screen's own words; the sentences are English. */
export interface DiagnosticCheck {
  readonly id: 'node' | 'store' | 'disk' | 'model' | 'apps' | 'demo-app' | 'web-app' | 'clock'
  readonly state: 'ok' | 'warning' | 'failed'
  readonly found: string
  readonly next?: string
}
