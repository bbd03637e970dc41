import type { ActionEffect, ActionRow, ConnectionRow, ScopeSettings, ToolkitRow } from './connection.ts'
import type { Failure, FailureClass } from './failure.ts'
import type { ExplainLine } from './explain.ts'
import type { FieldProblem } from './field-problem.ts'
import type { Grant, GrantConstraints } from './grant.ts'
import type { CallId, RunId } from './ids.ts'
import type {
  AnswerReceipt,
  ApprovalRow,
  CallRow,
  QueueMode,
  RunRow,
  RunStatus,
  ThreadRow,
  UsageRow,
} from './ledger.ts'
import type { ModelReads } from './media-types.ts'
import type { ApprovalDecision, GivenAnswer } from './run.ts'
import type { TurnEvent } from './turn-event.ts'
import type { Usage } from './usage.ts'

// Bodies of the HTTP API. HTTP sends commands; the socket delivers events: see `socket.ts`.

/** Every refusal of the server has this body. A foreign id answers like an unknown one. */
export interface ApiProblem {
  readonly error: {
    readonly code: ApiProblemCode
    /** One plain sentence in English; screens word it by `code` where they can. */
    readonly message: string
    /** Which field of the body or the query was not accepted. */
    readonly field?: string
    /** Why it was not accepted, where screens have words for it. */
    readonly problem?: FieldProblem
    readonly retryAfterMs?: number
  }
}

/** Why the server refused a request. */
export type ApiProblemCode =
  | 'invalid'
  | 'signed_out'
  | 'forbidden'
  /** The owner must log in again first: the request reaches the machine. */
  | 'login_again'
  | 'not_found'
  | 'conflict'
  /** Everything was stopped: no turn starts until it is released. */
  | 'held'
  | 'too_large'
  | 'rate_limited'
  /** A limit of this user; `field` names it. */
  | 'limit_reached'
  | 'unavailable'
  | 'internal'

/** A thread, and whether something goes on in it. */
export interface ThreadSummary extends ThreadRow {
  /** `held`: what the turn waited for is settled, and it goes on when everything is released. */
  readonly activity?: 'running' | 'waiting' | 'held'
  /** Of a turn that is held: the answered approvals, by id. Its events have the answers after the release. */
  readonly answered?: Readonly<Record<string, ApprovalDecision>>
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
 * `follow-up` becomes the next turn, `interrupt` ends what is running and goes instead, `queue` does what the queue mode
 * of the thread says.
 */
export type MessageMode = 'send' | 'steer' | 'follow-up' | 'interrupt' | 'queue'

/** A message to send. */
export interface MessagePost {
  readonly text: string
  /** The client's own id: sent twice, it is one turn. */
  readonly messageId: string
  readonly mode?: MessageMode
  readonly attachments?: readonly AttachmentPost[]
  /** The newest event that the person saw when they wrote. A word never answers a question that came after it. */
  readonly seenSeq?: number
}

/** An image or a file that is sent with a message. */
export interface AttachmentPost {
  readonly name: string
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/**
 * The message is safe. `runId` is the run that it started; absent when it waits for the turn that is running. The event
 * `turn-start` or `message-deliver` with its `messageId` says which run took it.
 */
export interface MessageReceipt {
  /** Absent for a turn that was continued. */
  readonly messageId?: string
  readonly runId?: RunId
  /** It was only a yes or a no, and answered the open question. It is no message of the thread. */
  readonly answered?: { readonly approvalId: string; readonly decision: 'allow-once' | 'deny' }
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
  /** When it waited for its model or for a person. Empty when the records of the thread are gone. */
  readonly spans: readonly TimeSpan[]
  /** How long it waited for a person, sub-agents included. Waits at the same time count once. */
  readonly waitedMs: number
  /** Absent when the records of the thread are gone. */
  readonly snapshot?: TurnSnapshot
}

/** A time in which a run did one thing. Without an end, it goes on. */
export interface TimeSpan {
  readonly runId: RunId
  readonly kind: 'model' | 'waiting'
  readonly startedAt: number
  readonly endedAt?: number
}

/** A turn as one value, for a client that does not fold events. It says the same as the events. */
export interface TurnSnapshot {
  readonly status: RunStatus
  readonly iterations: number
  /** Tool calls in order, those of a sub-agent behind the call it works for. */
  readonly steps: readonly SnapshotStep[]
  /** Why the turn failed or was halted. */
  readonly failure?: Failure
  /** Of the turn and every run below it. */
  readonly usage: Usage
}

/** One tool call of a turn. `unknown`: it may or may not have happened. */
export interface SnapshotStep {
  readonly runId: RunId
  readonly callId: CallId
  /** 0 for the turn itself, 1 for a sub-agent it called, and so on. */
  readonly depth: number
  readonly tool: string
  readonly label: string
  readonly detail?: string
  readonly status: 'ok' | 'failed' | 'stopped' | 'running' | 'waiting' | 'unknown'
  readonly at: number
  readonly durationMs?: number
  readonly failure?: Failure
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
  readonly decision: GivenAnswer
  /** Where the granted calls may send something. Only with a decision that gives a grant. */
  readonly constraints?: GrantConstraints
  /**
   * Required to allow a call with hidden values: the person has seen them, or has chosen twice to allow them unseen.
   */
  readonly withHidden?: true
}

/** Exactly what would run, with nothing hidden. Never stored, logged or sent as an event. */
export interface ExactArguments {
  readonly arguments: unknown
}

/** A grant, with the title of the conversation in which it was given, if that still exists. */
export interface GrantView extends Grant {
  readonly threadTitle?: string
}

/** The grants of a user that have not expired. */
export interface GrantList {
  readonly grants: readonly GrantView[]
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
  /** Of one that the user added: whether members may use it. */
  readonly shared?: boolean
  /** For an MCP server: whether the owner trusts what it says about its actions. */
  readonly isTrusted?: boolean
}

/** The apps of a user. */
export interface ToolkitList {
  /** False: the list could not be brought up to date, and is what was known last. */
  readonly authoritative: boolean
  readonly toolkits: readonly ToolkitView[]
}

/** The actions of a connected app. */
export interface ActionList {
  readonly actions: readonly ActionRow[]
}

/** What an action shall count as. `null`: what the app's name and arguments say. */
export interface ActionEffectPut {
  readonly action: string
  readonly effect: ActionEffect | null
  /** The definition that was shown. */
  readonly digest: string
}

/** Where a person signs in. */
export type SignInReply =
  /** Open this address: the service asks the person there. */
  | { readonly type: 'visit'; readonly url: string }
  /** The service wants a key: post it to `/api/connections/:id/key`. */
  | { readonly type: 'key' }
  | { readonly type: 'settled'; readonly connection: ConnectionRow }

/** What the user set, and what is so on this machine. Keys of models and apps are never sent back. */
export interface Settings {
  /** Blank: the scripted demo model, or the first key that is set. */
  readonly model: string
  /** What is really in use, and why. */
  readonly modelInUse: {
    readonly name: string
    readonly isDemo: boolean
    readonly from: 'settings' | 'environment' | 'demo'
    readonly reads: ModelReads
  }
  readonly modelKeys: readonly ModelKeyState[]
  /** Makes vectors of what is in memory. Blank: the one of the environment, if there is one. */
  readonly embeddingModel: string
  /** The embedding model that is really in use. Absent: none, and memory is searched by words. */
  readonly embeddingInUse?: { readonly name: string; readonly from: 'settings' | 'environment' }
  readonly safetyMode: 'read-only' | 'supervised' | 'full'
  /** Folders whose files the assistant may work with. A member has those that the owner shares. */
  readonly roots: readonly string[]
  /** Those of the owner's folders that members may use, too. Empty for a member. */
  readonly sharedRoots: readonly string[]
  /** Commands, confined to `roots`. `ask`: each one is asked about; `on`: the safety mode decides. */
  readonly shell: 'off' | 'ask' | 'on'
  /** Hosts that commands may reach. Empty: no network. */
  readonly shellHosts: readonly string[]
  /** Hosts that may be read although the data-flow rule would ask: `example.com`, `*.example.com`. */
  readonly hosts: readonly string[]
  /** What queued messages do in threads without a queue mode of their own. */
  readonly queueMode: QueueMode
  readonly language: string
  readonly theme: 'system' | 'light' | 'dark'
  readonly reduceMotion: boolean
  readonly composio: { readonly isSet: boolean }
  readonly dataFolder: string
  readonly version: string
  readonly demoApp: boolean
  /** Set while everything is stopped. */
  readonly held?: Hold
  /** The disk of the server is full: nothing can be stored. */
  readonly diskFull?: true
}

/** A secret that a user stored under a name. Its value is never shown. */
export interface SecretRow {
  readonly name: string
  /** The hosts it may be sent to: a host name, or `*.` and a domain. */
  readonly hosts: readonly string[]
  readonly createdAt: number
}

/** A new value for a named secret. */
export interface SecretPut {
  readonly value: string
  readonly hosts: readonly string[]
}

/** Everything was stopped. No turn starts until it is released. */
export interface Hold {
  /** `everybody`: the owner has stopped the turns of all users, and only the owner can release them. */
  readonly scope: 'own' | 'everybody'
  readonly at: number
}

/** Whether a key for a provider is set, and where. */
export interface ModelKeyState {
  readonly provider: 'openai' | 'anthropic' | 'google' | 'compatible'
  readonly from?: 'settings' | 'environment'
}

/** Any field alone. A blank key takes it away. */
export interface SettingsPatch {
  readonly model?: string
  readonly embeddingModel?: string
  readonly modelKeys?: Partial<Readonly<Record<ModelKeyState['provider'], string>>>
  readonly safetyMode?: Settings['safetyMode']
  readonly roots?: readonly string[]
  readonly sharedRoots?: readonly string[]
  readonly shell?: Settings['shell']
  readonly shellHosts?: readonly string[]
  readonly hosts?: readonly string[]
  readonly queueMode?: QueueMode
  readonly language?: string
  readonly theme?: Settings['theme']
  readonly reduceMotion?: boolean
  readonly composioKey?: string
}

/** Whether the server is up. */
export interface Health {
  /** False when messages are refused, for the problem that is named. */
  readonly ok: boolean
  readonly problem?: 'disk-full'
  readonly version: string
  /** How its owner prints a login link. Only where nobody but this machine reaches the server. */
  readonly loginCommand?: string
}

/** The server takes requests: its store answers. A server that does not answers 503. */
export interface Ready {
  readonly ok: true
  readonly version: string
}

/** Whether a model answered. */
export interface ModelTest {
  readonly ok: boolean
  readonly model: string
  readonly durationMs: number
  readonly failure?: Failure
}
