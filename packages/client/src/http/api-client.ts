import type {
  Health,
  Ready,
  ActionEffectPut,
  ActionList,
  ApprovalList,
  ApprovalPost,
  ApprovalReceipt,
  Confinement,
  ExactArguments,
  GrantList,
  ConnectionRow,
  Diagnostics,
  EventPage,
  Hold,
  LoginRow,
  McpServerPatch,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  ProposedMapping,
  Me,
  MemberLink,
  MemberRow,
  MessagePost,
  MessageReceipt,
  ModelTest,
  RunDetail,
  RunPage,
  RunStatus,
  ScopeSettings,
  SecretPut,
  SecretRow,
  Spending,
  SpendingLimits,
  Settings,
  SettingsPatch,
  SignInReply,
  Stats,
  QueueMode,
  ThreadDetail,
  ThreadPage,
  ThreadSearchHit,
  ThreadSummary,
  ToolkitList,
  TurnEvent,
  UserLimits,
} from '@capstan/protocol'
import { ApiError } from './api-error.ts'
import { parseEventStream } from './parse-event-stream.ts'
import type { Sender, SenderOptions } from './sender.ts'
import { createSender, isMediaType, readBody, route, toWrongAnswer } from './sender.ts'
import type { WorkApi } from './work-api.ts'
import { workApi } from './work-api.ts'

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** Which part of a list. */
export interface PageQuery extends CallOptions {
  /** What the page before gave as `next`. */
  readonly before?: number
  readonly limit?: number
}

/**
 * The server's interface as functions, one per route of docs/api.md. Each rejects with an `ApiError`, or with the
 * signal's reason when it was aborted. A read is tried a second time when no answer came.
 */
export interface ApiClient extends AccountApi, PeopleApi, ThreadApi, RunApi, AppApi, WorkApi, SettingsApi {}

interface AccountApi {
  health(options?: CallOptions): Promise<Health>
  /** Rejects with `unavailable` when the store of the server does not answer. */
  ready(options?: CallOptions): Promise<Ready>
  logout(options?: CallOptions): Promise<void>
  me(options?: CallOptions): Promise<Me>
  /** The server's interface as an OpenAPI document. */
  openApi(options?: CallOptions): Promise<Readonly<Record<string, unknown>>>
}

interface PeopleApi {
  /** Logs this browser in again, with the ticket of a new login link. */
  logInAgain(ticket: string, options?: CallOptions): Promise<void>
  logins(options?: CallOptions): Promise<{ readonly logins: readonly LoginRow[] }>
  revokeLogin(loginId: string, options?: CallOptions): Promise<void>
  revokeOtherLogins(options?: CallOptions): Promise<{ readonly revoked: number }>
  members(options?: CallOptions): Promise<{ readonly members: readonly MemberRow[] }>
  addMember(userId: string, options?: CallOptions): Promise<MemberLink>
  linkMember(userId: string, options?: CallOptions): Promise<MemberLink>
  changeMember(
    userId: string,
    change: { readonly limits: UserLimits },
    options?: CallOptions,
  ): Promise<MemberRow>
  removeMember(userId: string, options?: CallOptions): Promise<void>
}

interface ThreadApi {
  threads(query?: PageQuery & { readonly archived?: boolean }): Promise<ThreadPage>
  createThread(body?: { readonly title?: string }, options?: CallOptions): Promise<ThreadSummary>
  searchThreads(
    q: string,
    options?: CallOptions & { readonly limit?: number },
  ): Promise<{ readonly hits: readonly ThreadSearchHit[] }>
  thread(threadId: string, options?: CallOptions): Promise<ThreadDetail>
  changeThread(
    threadId: string,
    change: {
      readonly title?: string
      readonly archived?: boolean
      /** Null: the default of the settings. */
      readonly queueMode?: QueueMode | null
    },
    options?: CallOptions,
  ): Promise<ThreadSummary>
  deleteThread(threadId: string, options?: CallOptions): Promise<void>
  events(
    threadId: string,
    query?: CallOptions & { readonly after?: number; readonly limit?: number },
  ): Promise<EventPage>
  /**
   * Events after a number, then new ones, as server-sent events. Resolves when the server has accepted. The result ends
   * with the connection, or throws an `ApiError` when it breaks off: `watchThread` of the client reconnects.
   */
  streamEvents(
    threadId: string,
    query?: CallOptions & { readonly after?: number },
  ): Promise<AsyncIterable<TurnEvent>>
  sendMessage(threadId: string, message: MessagePost, options?: CallOptions): Promise<MessageReceipt>
  stopTurn(threadId: string, body?: { readonly runId?: string }, options?: CallOptions): Promise<void>
  continueTurn(threadId: string, resumeToken: string, options?: CallOptions): Promise<MessageReceipt>
  /** A part of an output that was too long to show. `nextOffset`: where the next part begins. */
  artifact(
    threadId: string,
    artifactId: string,
    query?: CallOptions & { readonly offset?: number },
  ): Promise<{ readonly text: string; readonly nextOffset?: number }>
  /** The conversation of a run, also of a sub-agent, as Markdown. */
  transcript(runId: string, options?: CallOptions): Promise<string>
  exportThread(threadId: string, format: ExportFormat, options?: CallOptions): Promise<string>
  /** The same as an address, for a link. */
  threadExportUrl(threadId: string, format: ExportFormat): string
  media(threadId: string, ref: string, options?: CallOptions): Promise<ArrayBuffer>
  /** The same as an address, for an image. */
  mediaUrl(threadId: string, ref: string): string
}

/** How a thread is written to a file. */
export type ExportFormat = 'markdown' | 'jsonl'

/** Which runs of turns, newest first. */
export interface RunQuery extends PageQuery {
  readonly threadId?: string
  readonly status?: RunStatus
  /** What the page before gave as `nextCursor`. */
  readonly cursor?: string
}

interface RunApi {
  runs(query?: RunQuery): Promise<RunPage>
  run(runId: string, options?: CallOptions): Promise<RunDetail>
  stats(query?: CallOptions & { readonly days?: number }): Promise<Stats>
  approvals(options?: CallOptions): Promise<ApprovalList>
  answerApproval(
    approvalId: string,
    answer: ApprovalPost['decision'] | ApprovalPost,
    options?: CallOptions,
  ): Promise<ApprovalReceipt>
  /** Exactly what would run, with nothing hidden. Only for an open approval of the caller. */
  revealApproval(approvalId: string, options?: CallOptions): Promise<ExactArguments>
  grants(options?: CallOptions): Promise<GrantList>
  revokeGrant(grantId: string, options?: CallOptions): Promise<void>
}

interface AppApi {
  toolkits(options?: CallOptions): Promise<ToolkitList>
  /** The actions of a connected app: what each counts as, and why. */
  actions(toolkit: string, options?: CallOptions): Promise<ActionList>
  /** Rejects with `conflict` when the definition is no longer the one with this digest. */
  setActionEffect(toolkit: string, choice: ActionEffectPut, options?: CallOptions): Promise<void>
  setScopes(toolkit: string, scopes: ScopeSettings, options?: CallOptions): Promise<ScopeSettings>
  connect(toolkit: string, options?: CallOptions): Promise<ConnectionRow>
  signIn(connectionId: string, options?: CallOptions): Promise<SignInReply>
  giveKey(connectionId: string, key: string, options?: CallOptions): Promise<ConnectionRow>
  makeDefault(connectionId: string, options?: CallOptions): Promise<void>
  /** `forget`: what was synced of the account is deleted from memory. */
  disconnect(connectionId: string, options?: CallOptions & { readonly forget?: boolean }): Promise<void>
  /** Whether programs can be confined on the server's machine. */
  sandbox(options?: CallOptions): Promise<Confinement>
  mcpServers(options?: CallOptions): Promise<{ readonly servers: readonly McpServerRow[] }>
  previewMcpServer(server: McpServerPost, options?: CallOptions): Promise<McpServerPreview>
  addMcpServer(server: McpServerPost, options?: CallOptions): Promise<McpServerRow>
  changeMcpServer(slug: string, patch: McpServerPatch, options?: CallOptions): Promise<McpServerRow>
  /** Guesses. Nothing is synced with one until it is set by `changeMcpServer`. */
  proposeMappings(
    slug: string,
    options?: CallOptions,
  ): Promise<{ readonly proposals: readonly ProposedMapping[] }>
  removeMcpServer(slug: string, options?: CallOptions): Promise<void>
}

interface SettingsApi {
  settings(options?: CallOptions): Promise<Settings>
  changeSettings(patch: SettingsPatch, options?: CallOptions): Promise<Settings>
  testModel(body?: { readonly model?: string }, options?: CallOptions): Promise<ModelTest>
  /** What this user may spend, and has spent. */
  spending(options?: CallOptions): Promise<Spending>
  /** Of the owner only: sets what they may spend. */
  changeSpending(limits: SpendingLimits, options?: CallOptions): Promise<Spending>
  secrets(options?: CallOptions): Promise<{ readonly secrets: readonly SecretRow[] }>
  putSecret(name: string, secret: SecretPut, options?: CallOptions): Promise<SecretRow>
  removeSecret(name: string, options?: CallOptions): Promise<void>
  /** Stops every running turn and starts none until `release`. */
  hold(scope?: Hold['scope'], options?: CallOptions): Promise<void>
  release(scope?: Hold['scope'], options?: CallOptions): Promise<void>
  diagnostics(options?: CallOptions): Promise<Diagnostics>
  /** Every thread, one JSON line after the other. */
  exportAll(options?: CallOptions): Promise<ReadableStream<Uint8Array>>
  /** The same as an address, for a link. */
  exportUrl(): string
  reset(options?: CallOptions): Promise<void>
}

/** Where the server is and how requests reach it. */
export type ApiClientOptions = SenderOptions

/** Opens nothing by itself: each function sends one request. */
export function createApiClient(options: ApiClientOptions = {}): ApiClient {
  const sender = createSender(options)
  return {
    ...accountApi(sender),
    ...peopleApi(sender),
    ...threadApi(sender),
    ...runApi(sender),
    ...appApi(sender),
    ...workApi(sender),
    ...settingsApi(sender),
  }
}

function accountApi({ json, nothing }: Sender): AccountApi {
  return {
    health: (given) => json('GET', '/api/health', given),
    ready: (given) => json('GET', '/api/ready', given),
    logout: (given) => nothing('POST', '/api/logout', given),
    me: (given) => json('GET', '/api/me', given),
    openApi: (given) => json('GET', '/api/openapi.json', given),
  }
}

function peopleApi({ json, nothing }: Sender): PeopleApi {
  return {
    logInAgain: (ticket, given) => nothing('POST', '/api/login/again', { ...given, body: { ticket } }),
    logins: (given) => json('GET', '/api/logins', given),
    revokeLogin: (loginId, given) => nothing('DELETE', route`/api/logins/${loginId}`, given),
    revokeOtherLogins: (given) => json('POST', '/api/logins/revoke-others', { ...given, body: {} }),
    members: (given) => json('GET', '/api/members', given),
    addMember: (userId, given) => json('POST', '/api/members', { ...given, body: { userId } }),
    linkMember: (userId, given) => json('POST', route`/api/members/${userId}/link`, { ...given, body: {} }),
    changeMember: (userId, body, given) => json('PATCH', route`/api/members/${userId}`, { ...given, body }),
    removeMember: (userId, given) => nothing('DELETE', route`/api/members/${userId}`, given),
  }
}

function threadApi({ base, send, json, nothing }: Sender): ThreadApi {
  return {
    threads: ({ signal, ...query } = {}) => json('GET', '/api/threads', { signal, query }),
    createThread: (body = {}, given) => json('POST', '/api/threads', { ...given, body }),
    searchThreads: (q, { signal, limit } = {}) =>
      json('GET', '/api/threads/search', { signal, query: { q, limit } }),
    thread: (threadId, given) => json('GET', route`/api/threads/${threadId}`, given),
    changeThread: (threadId, body, given) =>
      json('PATCH', route`/api/threads/${threadId}`, { ...given, body }),
    deleteThread: (threadId, given) => nothing('DELETE', route`/api/threads/${threadId}`, given),
    events: (threadId, { signal, ...query } = {}) =>
      json('GET', route`/api/threads/${threadId}/events`, { signal, query }),
    async streamEvents(threadId, { signal, ...query } = {}) {
      const path = route`/api/threads/${threadId}/stream`
      const response = await send('GET', path, { signal, query, accept: 'text/event-stream' })
      if (!isMediaType(response, 'text/event-stream'))
        throw toWrongAnswer(response, 'The server did not answer with an event stream.')
      return readEvents(response.body, signal)
    },
    sendMessage: (threadId, body, given) =>
      json('POST', route`/api/threads/${threadId}/messages`, { ...given, body }),
    stopTurn: (threadId, body = {}, given) =>
      nothing('POST', route`/api/threads/${threadId}/stop`, { ...given, body }),
    continueTurn: (threadId, resumeToken, given) =>
      json('POST', route`/api/threads/${threadId}/continue`, { ...given, body: { resumeToken } }),
    async artifact(threadId, artifactId, { signal, ...query } = {}) {
      const path = route`/api/threads/${threadId}/artifacts/${artifactId}`
      const response = await send('GET', path, { signal, query })
      const next = response.headers.get('x-next-offset')
      const text = await readBody(() => response.text(), signal)
      return next === null || next === '' ? { text } : { text, nextOffset: Number(next) }
    },
    async transcript(runId, given) {
      const response = await send('GET', route`/api/runs/${runId}/transcript`, given)
      return readBody(() => response.text(), given?.signal)
    },
    async exportThread(threadId, format, given) {
      const path = route`/api/threads/${threadId}/export`
      const response = await send('GET', path, { ...given, query: { format } })
      return readBody(() => response.text(), given?.signal)
    },
    threadExportUrl: (threadId, format) =>
      `${base}${route`/api/threads/${threadId}/export`}?format=${format}`,
    async media(threadId, ref, given) {
      const response = await send('GET', route`/api/threads/${threadId}/media/${ref}`, given)
      return readBody(() => response.arrayBuffer(), given?.signal)
    },
    mediaUrl: (threadId, ref) => base + route`/api/threads/${threadId}/media/${ref}`,
  }
}

async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<TurnEvent> {
  if (!body) return
  for await (const data of parseEventStream(body, signal)) yield parseEvent(data)
}

function parseEvent(data: string): TurnEvent {
  try {
    return JSON.parse(data) as TurnEvent
  } catch (error) {
    throw new ApiError({ code: 'unavailable', message: 'An event of the stream is not JSON.' }, error)
  }
}

function runApi({ json, nothing }: Sender): RunApi {
  return {
    runs: ({ signal, ...query } = {}) => json('GET', '/api/runs', { signal, query }),
    run: (runId, given) => json('GET', route`/api/runs/${runId}`, given),
    stats: ({ signal, ...query } = {}) => json('GET', '/api/stats', { signal, query }),
    approvals: (given) => json('GET', '/api/approvals', given),
    answerApproval: (approvalId, answer, given) => {
      const body = typeof answer === 'string' ? { decision: answer } : answer
      return json('POST', route`/api/approvals/${approvalId}`, { ...given, body })
    },
    revealApproval: (approvalId, given) => json('POST', route`/api/approvals/${approvalId}/reveal`, given),
    grants: (given) => json('GET', '/api/grants', given),
    revokeGrant: (grantId, given) => nothing('DELETE', route`/api/grants/${grantId}`, given),
  }
}

function appApi({ json, nothing }: Sender): AppApi {
  return {
    toolkits: (given) => json('GET', '/api/toolkits', given),
    actions: (toolkit, given) => json('GET', route`/api/toolkits/${toolkit}/actions`, given),
    setActionEffect: (toolkit, body, given) =>
      nothing('PUT', route`/api/toolkits/${toolkit}/action-effect`, { ...given, body }),
    setScopes: (toolkit, body, given) =>
      json('PUT', route`/api/toolkits/${toolkit}/scopes`, { ...given, body }),
    connect: (toolkit, given) => json('POST', '/api/connections', { ...given, body: { toolkit } }),
    signIn: (connectionId, given) =>
      json('POST', route`/api/connections/${connectionId}/sign-in`, { ...given, body: {} }),
    giveKey: (connectionId, key, given) =>
      json('POST', route`/api/connections/${connectionId}/key`, { ...given, body: { key } }),
    makeDefault: (connectionId, given) =>
      nothing('POST', route`/api/connections/${connectionId}/default`, { ...given, body: {} }),
    disconnect: (connectionId, { signal, ...query } = {}) =>
      nothing('DELETE', route`/api/connections/${connectionId}`, { signal, query }),
    sandbox: (given) => json('GET', '/api/sandbox', given),
    mcpServers: (given) => json('GET', '/api/mcp-servers', given),
    previewMcpServer: (body, given) => json('POST', '/api/mcp-servers/preview', { ...given, body }),
    addMcpServer: (body, given) => json('POST', '/api/mcp-servers', { ...given, body }),
    changeMcpServer: (slug, body, given) =>
      json('PATCH', route`/api/mcp-servers/${slug}`, { ...given, body }),
    proposeMappings: (slug, given) => json('GET', route`/api/mcp-servers/${slug}/sync-proposals`, given),
    removeMcpServer: (slug, given) => nothing('DELETE', route`/api/mcp-servers/${slug}`, given),
  }
}

function settingsApi({ base, send, json, nothing }: Sender): SettingsApi {
  return {
    settings: (given) => json('GET', '/api/settings', given),
    changeSettings: (body, given) => json('PATCH', '/api/settings', { ...given, body }),
    testModel: (body = {}, given) => json('POST', '/api/settings/test-model', { ...given, body }),
    spending: (given) => json('GET', '/api/spending', given),
    changeSpending: (body, given) => json('PUT', '/api/spending', { ...given, body }),
    secrets: (given) => json('GET', '/api/secrets', given),
    putSecret: (name, body, given) => json('PUT', route`/api/secrets/${name}`, { ...given, body }),
    removeSecret: (name, given) => nothing('DELETE', route`/api/secrets/${name}`, given),
    hold: (scope, given) => nothing('POST', '/api/hold', { ...given, body: scope ? { scope } : {} }),
    release: (scope, given) => nothing('POST', '/api/release', { ...given, body: scope ? { scope } : {} }),
    diagnostics: (given) => json('GET', '/api/diagnostics', given),
    exportAll: async (given) => {
      const { body } = await send('GET', '/api/export', given)
      return body ?? new ReadableStream()
    },
    exportUrl: () => `${base}/api/export`,
    reset: (given) => nothing('POST', '/api/reset', { ...given, body: { confirm: 'reset' } }),
  }
}
