import type {
  ApprovalList,
  ApprovalPost,
  ApprovalReceipt,
  ConnectionRow,
  Diagnostics,
  EventPage,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  Me,
  MessagePost,
  MessageReceipt,
  ModelTest,
  RunDetail,
  RunPage,
  RunStatus,
  ScopeSettings,
  Settings,
  SettingsPatch,
  SignInReply,
  Stats,
  ThreadDetail,
  ThreadPage,
  ThreadSearchHit,
  ThreadSummary,
  ToolkitList,
} from '@capstan/protocol'
import { ApiError, toApiError } from './api-error.ts'

interface CallOptions {
  readonly signal?: AbortSignal
}

interface Page extends CallOptions {
  /** What the page before gave as `next`. */
  readonly before?: number
  readonly limit?: number
}

/**
 * The server's interface as functions, a line per route of docs/api.md. Each rejects with an `ApiError`, or with the
 * signal's reason when it was aborted. What only reads is tried a second time when no answer came.
 */
export interface ApiClient {
  health(options?: CallOptions): Promise<{ readonly ok: boolean; readonly version: string }>
  logout(options?: CallOptions): Promise<void>
  me(options?: CallOptions): Promise<Me>

  threads(query?: Page & { readonly archived?: boolean }): Promise<ThreadPage>
  createThread(body?: { readonly title?: string }, options?: CallOptions): Promise<ThreadSummary>
  searchThreads(
    q: string,
    options?: CallOptions & { readonly limit?: number },
  ): Promise<{ readonly hits: readonly ThreadSearchHit[] }>
  thread(threadId: string, options?: CallOptions): Promise<ThreadDetail>
  changeThread(
    threadId: string,
    change: { readonly title?: string; readonly archived?: boolean },
    options?: CallOptions,
  ): Promise<ThreadSummary>
  deleteThread(threadId: string, options?: CallOptions): Promise<void>
  events(
    threadId: string,
    query?: CallOptions & { readonly after?: number; readonly limit?: number },
  ): Promise<EventPage>
  sendMessage(threadId: string, message: MessagePost, options?: CallOptions): Promise<MessageReceipt>
  stopTurn(threadId: string, body?: { readonly runId?: string }, options?: CallOptions): Promise<void>
  continueTurn(threadId: string, resumeToken: string, options?: CallOptions): Promise<MessageReceipt>
  /** Up to where the text goes, and where to read on. */
  artifact(
    threadId: string,
    artifactId: string,
    query?: CallOptions & { readonly offset?: number },
  ): Promise<{ readonly text: string; readonly nextOffset?: number }>
  threadExportUrl(threadId: string, format: 'markdown' | 'jsonl'): string
  mediaUrl(threadId: string, ref: string): string
  media(threadId: string, ref: string, options?: CallOptions): Promise<ArrayBuffer>

  runs(query?: Page & { readonly threadId?: string; readonly status?: RunStatus }): Promise<RunPage>
  run(runId: string, options?: CallOptions): Promise<RunDetail>
  stats(query?: CallOptions & { readonly days?: number }): Promise<Stats>

  approvals(options?: CallOptions): Promise<ApprovalList>
  answerApproval(
    approvalId: string,
    decision: ApprovalPost['decision'],
    options?: CallOptions,
  ): Promise<ApprovalReceipt>
  alwaysAllowed(options?: CallOptions): Promise<{ readonly tools: readonly string[] }>
  removeAlwaysAllowed(tool: string, options?: CallOptions): Promise<void>

  toolkits(options?: CallOptions): Promise<ToolkitList>
  setScopes(toolkit: string, scopes: ScopeSettings, options?: CallOptions): Promise<ScopeSettings>
  connect(toolkit: string, options?: CallOptions): Promise<ConnectionRow>
  signIn(connectionId: string, options?: CallOptions): Promise<SignInReply>
  giveKey(connectionId: string, key: string, options?: CallOptions): Promise<ConnectionRow>
  makeDefault(connectionId: string, options?: CallOptions): Promise<void>
  disconnect(connectionId: string, options?: CallOptions): Promise<void>
  mcpServers(options?: CallOptions): Promise<{ readonly servers: readonly McpServerRow[] }>
  previewMcpServer(server: McpServerPost, options?: CallOptions): Promise<McpServerPreview>
  addMcpServer(server: McpServerPost, options?: CallOptions): Promise<McpServerRow>
  removeMcpServer(slug: string, options?: CallOptions): Promise<void>

  settings(options?: CallOptions): Promise<Settings>
  changeSettings(patch: SettingsPatch, options?: CallOptions): Promise<Settings>
  testModel(body?: { readonly model?: string }, options?: CallOptions): Promise<ModelTest>
  diagnostics(options?: CallOptions): Promise<Diagnostics>
  exportUrl(): string
  reset(options?: CallOptions): Promise<void>
}

export interface ApiClientOptions {
  /** Where the server is; blank for where the page came from. */
  readonly base?: string
  readonly fetch?: typeof fetch
  /** Heard once per refusal with `signed_out`, whoever asked. */
  readonly onSignedOut?: () => void
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Query = Readonly<Record<string, string | number | boolean | undefined>>

interface Request extends CallOptions {
  readonly query?: Query
  readonly body?: unknown
}

export function createApiClient(options: ApiClientOptions = {}): ApiClient {
  const base = options.base ?? ''
  const doFetch = options.fetch ?? ((input, init) => fetch(input, init))

  async function send(method: Method, path: string, request: Request = {}): Promise<Response> {
    const init: RequestInit = {
      method,
      credentials: 'same-origin',
      // What is taken away when the page is left is still taken away.
      ...(method === 'DELETE' ? { keepalive: true } : {}),
      headers: {
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(request.signal ? { signal: request.signal } : {}),
    }
    const url = base + path + toQuery(request.query)
    const response = await reach(() => doFetch(url, init), method === 'GET' ? 2 : 1, request.signal)
    if (response.ok) return response
    const error = await toApiError(response)
    if (error.code === 'signed_out') options.onSignedOut?.()
    throw error
  }

  const json = async <T>(method: Method, path: string, request?: Request): Promise<T> => {
    const response = await send(method, path, request)
    return (await response.json()) as T
  }
  const nothing = async (method: Method, path: string, request?: Request): Promise<void> => {
    await send(method, path, request)
  }

  return {
    health: (given) => json('GET', '/api/health', given),
    logout: (given) => nothing('POST', '/api/logout', given),
    me: (given) => json('GET', '/api/me', given),

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
    sendMessage: (threadId, body, given) =>
      json('POST', route`/api/threads/${threadId}/messages`, { ...given, body }),
    stopTurn: (threadId, body = {}, given) =>
      nothing('POST', route`/api/threads/${threadId}/stop`, { ...given, body }),
    continueTurn: (threadId, resumeToken, given) =>
      json('POST', route`/api/threads/${threadId}/continue`, { ...given, body: { resumeToken } }),
    async artifact(threadId, artifactId, { signal, ...query } = {}) {
      const response = await send('GET', route`/api/threads/${threadId}/artifacts/${artifactId}`, {
        signal,
        query,
      })
      const next = response.headers.get('x-next-offset')
      const text = await response.text()
      return next === null || next === '' ? { text } : { text, nextOffset: Number(next) }
    },
    threadExportUrl: (threadId, format) =>
      `${base}${route`/api/threads/${threadId}/export`}?format=${format}`,
    mediaUrl: (threadId, ref) => base + route`/api/threads/${threadId}/media/${ref}`,
    media: async (threadId, ref, given) =>
      (await send('GET', route`/api/threads/${threadId}/media/${ref}`, given)).arrayBuffer(),

    runs: ({ signal, ...query } = {}) => json('GET', '/api/runs', { signal, query }),
    run: (runId, given) => json('GET', route`/api/runs/${runId}`, given),
    stats: ({ signal, ...query } = {}) => json('GET', '/api/stats', { signal, query }),

    approvals: (given) => json('GET', '/api/approvals', given),
    answerApproval: (approvalId, decision, given) =>
      json('POST', route`/api/approvals/${approvalId}`, { ...given, body: { decision } }),
    alwaysAllowed: (given) => json('GET', '/api/always-allowed', given),
    removeAlwaysAllowed: (tool, given) => nothing('DELETE', route`/api/always-allowed/${tool}`, given),

    toolkits: (given) => json('GET', '/api/toolkits', given),
    setScopes: (toolkit, body, given) =>
      json('PUT', route`/api/toolkits/${toolkit}/scopes`, { ...given, body }),
    connect: (toolkit, given) => json('POST', '/api/connections', { ...given, body: { toolkit } }),
    signIn: (connectionId, given) =>
      json('POST', route`/api/connections/${connectionId}/sign-in`, { ...given, body: {} }),
    giveKey: (connectionId, key, given) =>
      json('POST', route`/api/connections/${connectionId}/key`, { ...given, body: { key } }),
    makeDefault: (connectionId, given) =>
      nothing('POST', route`/api/connections/${connectionId}/default`, { ...given, body: {} }),
    disconnect: (connectionId, given) => nothing('DELETE', route`/api/connections/${connectionId}`, given),
    mcpServers: (given) => json('GET', '/api/mcp-servers', given),
    previewMcpServer: (body, given) => json('POST', '/api/mcp-servers/preview', { ...given, body }),
    addMcpServer: (body, given) => json('POST', '/api/mcp-servers', { ...given, body }),
    removeMcpServer: (slug, given) => nothing('DELETE', route`/api/mcp-servers/${slug}`, given),

    settings: (given) => json('GET', '/api/settings', given),
    changeSettings: (body, given) => json('PATCH', '/api/settings', { ...given, body }),
    testModel: (body = {}, given) => json('POST', '/api/settings/test-model', { ...given, body }),
    diagnostics: (given) => json('GET', '/api/diagnostics', given),
    exportUrl: () => `${base}/api/export`,
    reset: (given) => nothing('POST', '/api/reset', { ...given, body: { confirm: 'reset' } }),
  }
}

/** Asks until an answer comes, whatever it says. An abort is not an answer, and is not asked again. */
async function reach(
  ask: () => Promise<Response>,
  attempts: number,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      signal?.throwIfAborted()
      if (attempt >= attempts) {
        throw new ApiError({ code: 'unreachable', message: 'The server cannot be reached.' }, error)
      }
    }
  }
}

/** A path whose parts cannot change its shape. */
function route(fixed: TemplateStringsArray, ...parts: readonly string[]): string {
  return fixed.reduce((done, piece, at) => done + encodeURIComponent(parts[at - 1] ?? '') + piece)
}

function toQuery(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
