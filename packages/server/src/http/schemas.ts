import type {
  AppName,
  AnswerReceipt,
  ApiProblem,
  ApprovalDecision,
  ApprovalList,
  ApprovalPost,
  ApprovalReceipt,
  ApprovalRow,
  AttachmentPost,
  AttachmentRef,
  CallId,
  CallRow,
  ConnectionRow,
  Diagnostics,
  EventPage,
  ExplainLine,
  Failure,
  FailureClass,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  McpTransport,
  Me,
  MessagePost,
  MessageReceipt,
  ModelTest,
  NoticeFact,
  Origin,
  ParentCall,
  RunDetail,
  RunId,
  RunPage,
  RunRow,
  RunStatus,
  ScopeSettings,
  Settings,
  SettingsPatch,
  SignInReply,
  Stats,
  ThreadDetail,
  ThreadId,
  ThreadPage,
  ThreadRow,
  ThreadSearchHit,
  ThreadSummary,
  ToolkitList,
  ToolkitView,
  TurnEvent,
  TurnOutcome,
  Usage,
  UsageRow,
} from '@capstan/protocol'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import { z } from 'zod'
import { describes } from './describes.ts'

// What the protocol says in types, said once more in a form that can be checked and written into a document. The
// compiler compares the two.

const id = <Id extends string>(): z.ZodType<Id, Id> =>
  z.string().min(1).max(200) as unknown as z.ZodType<Id, Id>

/** Any id in an address. One that cannot be is like one that is not. */
export const threadId = id<ThreadId>()
export const runId = id<RunId>()
export const anyId = id<string>()
const callId = id<CallId>()

const milliseconds = z.number()
const count = z.number().int().min(0)

const failure = describes<Failure>()(
  z.strictObject({
    class: z.enum(Object.keys(FAILURE_CATEGORIES) as FailureClass[]),
    category: z.enum(['transient', 'needs_user', 'declined', 'fixable', 'unknown', 'stopped']),
    cause: z.string(),
    next: z.string(),
    recoverable: z.boolean(),
    retryAfterMs: milliseconds.optional(),
    evidence: z.strictObject({ rule: z.string(), fact: z.string().optional() }).optional(),
  }),
).meta({ id: 'Failure' })

const appName = describes<AppName>()(z.strictObject({ toolkit: z.string(), name: z.string() }))

const usage = describes<Usage>()(
  z.strictObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedInputTokens: z.number(),
    cacheWriteTokens: z.number(),
    reasoningTokens: z.number(),
    chargedUsd: z.number(),
    estimated: z.literal(true).optional(),
    estimatedUsd: z.number(),
  }),
).meta({ id: 'Usage' })

const parentCall = describes<ParentCall>()(z.strictObject({ runId, callId }))
const cap = z.strictObject({
  kind: z.enum(['iterations', 'tokens', 'usd', 'wall-clock']),
  limit: z.number(),
})
const outcomeFacts = { text: z.string(), usage, iterations: count }

const turnOutcome = describes<TurnOutcome>()(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('done'), cut: z.literal('length').optional(), ...outcomeFacts }),
    z.strictObject({
      type: z.literal('halted'),
      guard: z.string(),
      tool: z.string().optional(),
      count: count.optional(),
      failure: failure.optional(),
      ...outcomeFacts,
    }),
    z.strictObject({
      type: z.literal('capped'),
      cap,
      resumeToken: z.string().optional(),
      ...outcomeFacts,
    }),
    z.strictObject({
      type: z.literal('needs-input'),
      callId,
      resumeToken: z.string().optional(),
      ...outcomeFacts,
    }),
    z.strictObject({ type: z.literal('failed'), failure, cap: cap.optional(), ...outcomeFacts }),
    z.strictObject({ type: z.literal('aborted'), ...outcomeFacts }),
  ]),
).meta({ id: 'TurnOutcome' })

const approvalDecision = describes<ApprovalDecision>()(
  z.enum(['allow-once', 'allow-always', 'deny', 'expired']),
)
const attachmentRef = describes<AttachmentRef>()(
  z.strictObject({ ref: z.string().optional(), mediaType: z.string(), name: z.string().optional() }),
)

const noticeFact = describes<NoticeFact>()(
  z.strictObject({
    kind: z.enum([
      'app-connected',
      'app-disconnected',
      'app-accounts-changed',
      'apps-available',
      'tool-added',
      'tool-removed',
    ]),
    name: z.string(),
    slug: z.string().optional(),
  }),
)

const waitsFor = z.strictObject({ kind: z.enum(['approval', 'sign-in']), id: z.string() })
const envelope = { threadId, runId, seq: count, at: milliseconds }
const inIteration = { ...envelope, iteration: count }

const turnEvent = describes<TurnEvent>()(
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('turn-start'),
      ...envelope,
      agent: z.string(),
      depth: count,
      model: z.string(),
      parent: parentCall.optional(),
      text: z.string(),
      attachments: z.array(attachmentRef).optional(),
    }),
    z.strictObject({ type: z.literal('turn-park'), ...envelope, waitsFor: z.array(waitsFor) }),
    z.strictObject({ type: z.literal('turn-resume'), ...inIteration }),
    z.strictObject({ type: z.literal('iteration-start'), ...inIteration, maxIterations: z.number() }),
    z.strictObject({ type: z.literal('text-delta'), ...inIteration, delta: z.string() }),
    z.strictObject({ type: z.literal('reasoning-delta'), ...inIteration, delta: z.string() }),
    z.strictObject({
      type: z.literal('tool-args-delta'),
      ...inIteration,
      callId,
      tool: z.string(),
      delta: z.string(),
    }),
    z.strictObject({
      type: z.literal('tool-start'),
      ...inIteration,
      callId,
      tool: z.string(),
      arguments: z.unknown(),
      label: z.string(),
      detail: z.string().optional(),
      app: appName.optional(),
    }),
    z.strictObject({
      type: z.literal('tool-end'),
      ...inIteration,
      callId,
      tool: z.string(),
      ok: z.boolean(),
      output: z.string(),
      outputBytes: count,
      durationMs: milliseconds,
      failure: failure.optional(),
    }),
    z.strictObject({
      type: z.literal('approval-request'),
      ...inIteration,
      approvalId: z.string(),
      callId,
      tool: z.string(),
      label: z.string(),
      arguments: z.unknown(),
      effect: z.enum(['write', 'admin']).optional(),
      app: appName.optional(),
      digest: z.string(),
      expiresAt: milliseconds,
    }),
    z.strictObject({
      type: z.literal('approval-answer'),
      ...inIteration,
      approvalId: z.string(),
      decision: approvalDecision,
    }),
    z.strictObject({
      type: z.literal('connection-request'),
      ...inIteration,
      callId,
      connectionId: z.string(),
      toolkit: z.string(),
      name: z.string(),
    }),
    z.strictObject({
      type: z.literal('usage-update'),
      ...inIteration,
      model: z.string(),
      call: usage,
      total: usage,
      durationMs: milliseconds,
    }),
    z.strictObject({
      type: z.literal('model-retry'),
      ...inIteration,
      model: z.string(),
      attempt: count,
      delayMs: milliseconds,
      failure,
    }),
    z.strictObject({
      type: z.literal('notice-add'),
      ...inIteration,
      text: z.string(),
      fact: noticeFact.optional(),
    }),
    z.strictObject({ type: z.literal('message-deliver'), ...inIteration, text: z.string() }),
    z.strictObject({
      type: z.literal('guard-nudge'),
      ...inIteration,
      guard: z.string(),
      text: z.string(),
    }),
    z.strictObject({
      type: z.literal('history-compact'),
      ...inIteration,
      tokensBefore: z.number(),
      tokensAfter: z.number(),
      how: z.enum(['summary', 'digest']),
    }),
    z.strictObject({
      type: z.literal('prefix-break'),
      ...inIteration,
      field: z.enum(['tools', 'system', 'history']),
      reason: z.string(),
    }),
    z.strictObject({ type: z.literal('surface-stale'), ...inIteration, reason: z.string() }),
    z.strictObject({ type: z.literal('turn-end'), ...envelope, outcome: turnOutcome }),
  ]),
).meta({ id: 'TurnEvent' })

export const apiProblem = describes<ApiProblem>()(
  z.strictObject({
    error: z.strictObject({
      code: z.enum([
        'invalid',
        'signed_out',
        'forbidden',
        'not_found',
        'conflict',
        'too_large',
        'rate_limited',
        'unavailable',
        'internal',
      ]),
      message: z.string(),
      field: z.string().optional(),
      retryAfterMs: milliseconds.optional(),
    }),
  }),
).meta({ id: 'ApiProblem' })

export const me = describes<Me>()(z.strictObject({ userId: z.string(), version: z.string() }))

const threadRowFields = {
  id: threadId,
  userId: z.string(),
  title: z.string(),
  createdAt: milliseconds,
  updatedAt: milliseconds,
  archivedAt: milliseconds.optional(),
}
const threadRow = describes<ThreadRow>()(z.strictObject(threadRowFields)).meta({ id: 'ThreadRow' })
export const threadSummary = describes<ThreadSummary>()(
  z.strictObject({ ...threadRowFields, activity: z.enum(['running', 'waiting']).optional() }),
).meta({ id: 'ThreadSummary' })
export const threadPage = describes<ThreadPage>()(
  z.strictObject({ threads: z.array(threadSummary), next: milliseconds.optional() }),
)
export const threadSearchHit = describes<ThreadSearchHit>()(
  z.strictObject({ thread: threadRow, excerpt: z.string() }),
)
export const threadDetail = describes<ThreadDetail>()(
  z.strictObject({ thread: threadSummary, lastSeq: count }),
)
export const eventPage = describes<EventPage>()(
  z.strictObject({ events: z.array(turnEvent), lastSeq: count }),
)

export const MAX_TEXT_BYTES = 256 * 1024
export const MAX_ATTACHMENTS_BYTES = 10 * 1024 * 1024
const MAX_ATTACHMENTS = 8

const attachmentPost = describes<AttachmentPost>()(
  z.strictObject({
    name: z.string().min(1).max(255),
    mediaType: z
      .string()
      .max(127)
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/, 'must be a media type such as image/png'),
    data: z.base64(),
  }),
)

export const messagePost = describes<MessagePost>()(
  z
    .strictObject({
      text: z.string().refine((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, 'must be at most 256 KB'),
      messageId: anyId,
      mode: z.enum(['send', 'steer', 'follow-up', 'interrupt']).optional(),
      attachments: z
        .array(attachmentPost)
        .max(MAX_ATTACHMENTS)
        .refine((all) => sizeOf(all) <= MAX_ATTACHMENTS_BYTES, 'must be at most 10 MB together')
        .optional(),
    })
    .refine(({ text, attachments = [] }) => text.trim() !== '' || attachments.length > 0, {
      message: 'must not be blank',
      path: ['text'],
    }),
).meta({ id: 'MessagePost' })

const sizeOf = (attachments: readonly AttachmentPost[]): number =>
  attachments.reduce((sum, { data }) => sum + (data.length * 3) / 4, 0)

export const messageReceipt = describes<MessageReceipt>()(z.strictObject({ runId: runId.optional() }))

export const runStatus = describes<RunStatus>()(
  z.enum(['running', 'waiting', 'done', 'halted', 'capped', 'needs-input', 'failed', 'aborted']),
)
const runRow = describes<RunRow>()(
  z.strictObject({
    id: runId,
    threadId,
    parent: parentCall.optional(),
    agent: z.string(),
    depth: count,
    origin: describes<Origin>()(z.enum(['web', 'cli', 'channel', 'trigger', 'schedule', 'unlabelled'])),
    model: z.string(),
    status: runStatus,
    text: z.string(),
    startedAt: milliseconds,
    endedAt: milliseconds.optional(),
    resumes: count,
    waitsFor: waitsFor.optional(),
    outcome: turnOutcome.optional(),
  }),
).meta({ id: 'RunRow' })
export const runPage = describes<RunPage>()(
  z.strictObject({ runs: z.array(runRow), next: milliseconds.optional() }),
)
const callRow = describes<CallRow>()(
  z.strictObject({
    runId,
    threadId,
    callId,
    tool: z.string(),
    effect: z.enum(['read', 'write', 'admin']).optional(),
    status: z.enum(['started', 'ok', 'failed']),
    decision: z.enum(['allowed', 'approved', 'refused', 'invalid']).optional(),
    failure: failure.optional(),
    at: milliseconds,
    durationMs: milliseconds,
    outputBytes: count,
    digest: z.string().optional(),
  }),
).meta({ id: 'CallRow' })
const explainLine = describes<ExplainLine>()(
  z.strictObject({
    kind: z
      .enum([
        'heading',
        'fact',
        'step',
        'note',
        'reason',
        'ok',
        'failed',
        'stopped',
        'unknown',
        'waiting',
        'running',
      ])
      .optional(),
    depth: count,
    text: z.string(),
    time: z.string().optional(),
  }),
)
export const runDetail = describes<RunDetail>()(
  z.strictObject({
    run: runRow,
    tree: z.array(runRow),
    calls: z.array(callRow),
    explanation: z.array(explainLine),
    prefixBreaks: z.array(z.strictObject({ field: z.string(), reason: z.string() })),
  }),
)

const usageRow = describes<UsageRow>()(z.strictObject({ model: z.string(), calls: count, usage }))
export const stats = describes<Stats>()(
  z.strictObject({
    days: z.array(
      z.strictObject({
        day: z.string(),
        turns: count,
        failed: count,
        inputTokens: z.number(),
        cachedInputTokens: z.number(),
        outputTokens: z.number(),
        usd: z.number(),
      }),
    ),
    models: z.array(usageRow),
    failures: z.array(
      z.strictObject({ class: z.enum(Object.keys(FAILURE_CATEGORIES) as FailureClass[]), count }),
    ),
    prefix: z.strictObject({ calls: count, breaks: count }),
  }),
)

export const approvalPost = describes<ApprovalPost>()(
  z.strictObject({ decision: z.enum(['allow-once', 'allow-always', 'deny']) }),
)
export const approvalReceipt = describes<ApprovalReceipt>()(
  z.strictObject({
    receipt: describes<AnswerReceipt>()(z.enum(['accepted', 'already-answered', 'expired', 'unknown'])),
  }),
)
const approvalRow = describes<ApprovalRow>()(
  z.strictObject({
    id: z.string(),
    threadId,
    runId,
    callId,
    tool: z.string(),
    label: z.string(),
    arguments: z.unknown(),
    digest: z.string(),
    createdAt: milliseconds,
    expiresAt: milliseconds,
    decision: approvalDecision.optional(),
    decidedAt: milliseconds.optional(),
  }),
).meta({ id: 'ApprovalRow' })
export const approvalList = describes<ApprovalList>()(z.strictObject({ approvals: z.array(approvalRow) }))

export const scopeSettings = describes<ScopeSettings>()(
  z.strictObject({ read: z.boolean(), write: z.boolean(), admin: z.boolean() }),
)
export const connectionRow = describes<ConnectionRow>()(
  z.strictObject({
    id: z.string(),
    userId: z.string(),
    connector: z.string(),
    toolkit: z.string(),
    status: z.enum(['pending', 'active', 'expired', 'failed', 'revoked', 'disconnected']),
    label: z.string(),
    isDefault: z.boolean(),
    createdAt: milliseconds,
    updatedAt: milliseconds,
    reason: z.string().optional(),
    reasonCode: z
      .enum(['declined', 'abandoned', 'expired', 'revoked', 'rejected', 'insufficient-scope', 'unavailable'])
      .optional(),
  }),
).meta({ id: 'ConnectionRow' })
const toolkitView = describes<ToolkitView>()(
  z.strictObject({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    connector: z.string(),
    auth: z.enum(['none', 'oauth', 'key']),
    connections: z.array(connectionRow),
    scopes: scopeSettings,
    isOwn: z.boolean(),
  }),
).meta({ id: 'ToolkitView' })
export const toolkitList = describes<ToolkitList>()(
  z.strictObject({ authoritative: z.boolean(), toolkits: z.array(toolkitView) }),
)
export const signInReply = describes<SignInReply>()(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('visit'), url: z.string() }),
    z.strictObject({ type: z.literal('key') }),
    z.strictObject({ type: z.literal('settled'), connection: connectionRow }),
  ]),
)

const mcpTransport = describes<McpTransport>()(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('http'), url: z.string().max(2000) }),
    z.strictObject({
      type: z.literal('stdio'),
      command: z.string().min(1).max(1000),
      args: z.array(z.string().max(2000)).max(64),
    }),
  ]),
)
export const mcpServerPost = describes<McpServerPost>()(
  z.strictObject({
    name: z.string().min(1).max(80),
    transport: mcpTransport,
    confirmedCommand: z.string().max(10_000).optional(),
  }),
)
export const mcpServerPreview = describes<McpServerPreview>()(
  z.strictObject({ slug: z.string(), command: z.string().optional() }),
)
export const mcpServerRow = describes<McpServerRow>()(
  z.strictObject({ slug: z.string(), name: z.string(), transport: mcpTransport }),
)

const modelProvider = z.enum(['openai', 'anthropic', 'google', 'compatible'])
const keySource = z.enum(['settings', 'environment'])
const safetyMode = z.enum(['read-only', 'supervised', 'full'])
const theme = z.enum(['system', 'light', 'dark'])

export const settings = describes<Settings>()(
  z.strictObject({
    model: z.string(),
    modelInUse: z.strictObject({
      name: z.string(),
      isDemo: z.boolean(),
      from: z.enum(['settings', 'environment', 'demo']),
    }),
    modelKeys: z.array(z.strictObject({ provider: modelProvider, from: keySource.optional() })),
    safetyMode,
    roots: z.array(z.string()),
    language: z.string(),
    theme,
    reduceMotion: z.boolean(),
    composio: z.strictObject({ isSet: z.boolean() }),
    dataFolder: z.string(),
    version: z.string(),
    demoApp: z.boolean(),
  }),
).meta({ id: 'Settings' })
export const settingsPatch = describes<SettingsPatch>()(
  z.strictObject({
    model: z.string().max(300).optional(),
    modelKeys: z
      .strictObject({
        openai: z.string().max(2000).optional(),
        anthropic: z.string().max(2000).optional(),
        google: z.string().max(2000).optional(),
        compatible: z.string().max(2000).optional(),
      })
      .optional(),
    safetyMode: safetyMode.optional(),
    roots: z.array(z.string().max(4096)).max(64).optional(),
    language: z.string().max(35).optional(),
    theme: theme.optional(),
    reduceMotion: z.boolean().optional(),
    composioKey: z.string().max(2000).optional(),
  }),
)
export const modelTest = describes<ModelTest>()(
  z.strictObject({
    ok: z.boolean(),
    model: z.string(),
    durationMs: milliseconds,
    failure: failure.optional(),
  }),
)
export const diagnostics = describes<Diagnostics>()(
  z.strictObject({
    checks: z.array(
      z.strictObject({
        id: z.enum(['node', 'store', 'disk', 'model', 'apps', 'demo-app', 'web-app', 'clock']),
        state: z.enum(['ok', 'warning', 'failed']),
        found: z.string(),
        next: z.string().optional(),
      }),
    ),
  }),
)
