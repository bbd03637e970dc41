import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>

interface FakeAccount {
  readonly id: string
  readonly userId: string
  readonly token: string
  readonly callbackUrl: string
  readonly toolkit: string
  status: string
  statusReason: string | null
  alias: string | null
}

export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface ComposioServer {
  readonly url: string
  readonly apiKey: string
  /** Method and path with query of every request of the API, and its body. */
  readonly requests: { readonly line: string; readonly body: Json; readonly key: string | undefined }[]
  readonly accounts: Map<string, FakeAccount>
  readonly toolkits: Json[]
  readonly tools: Json[]
  readonly authConfigs: Json[]
  /** How the next calls of an action are answered, instead of doing it. */
  readonly scripted: Map<string, ScriptedAnswer[]>
  /** What actions answer, by their arguments. Undefined: it never answers. */
  readonly answers: Map<string, (args: Json) => ScriptedAnswer | undefined>
  /** The actions that were really done. */
  readonly done: string[]
  /** What `NOTES_LIST_NOTES` says. */
  notes: string
  isDown: boolean
  /** Where people are sent to sign in. */
  linkUrl: string
  pageSize: number
  underway(): number
  close(): Promise<void>
}

export const tool = (slug: string, more: Json = {}): Json => ({
  slug,
  name: slug,
  description: `Does ${slug}.`,
  input_parameters: { type: 'object', properties: { text: { type: 'string' } } },
  output_parameters: {},
  version: '20251027_00',
  available_versions: ['20251027_00'],
  tags: [],
  toolkit: { slug: 'notes', name: 'Notes', logo: '' },
  deprecated: { is_deprecated: false },
  is_deprecated: false,
  no_auth: false,
  ...more,
})

export const toolkit = (slug: string, more: Json = {}): Json => ({
  slug,
  name: slug,
  type: 'native',
  no_auth: false,
  auth_schemes: ['OAUTH2'],
  meta: { description: `All about ${slug}`, tools_count: 4 },
  ...more,
})

/** A server on this machine that speaks the part of Composio's HTTP API that the connector uses. */
export async function startComposioServer(): Promise<ComposioServer> {
  let next = 0
  let underway = 0
  const held = new Set<ServerResponse>()
  const http = createServer((request, response) => {
    underway++
    response.on('close', () => {
      underway--
      held.delete(response)
    })
    void answer(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  const server: ComposioServer = {
    url,
    apiKey: 'ak_5Wq-very/secret+key=',
    requests: [],
    accounts: new Map(),
    toolkits: [
      toolkit('notes', { name: 'Notes' }),
      toolkit('gmail'),
      toolkit('Weather-API', { no_auth: true }),
    ],
    tools: [
      tool('NOTES_LIST_NOTES'),
      tool('NOTES_CREATE_NOTE'),
      tool('NOTES_RUN_FOREVER'),
      tool('NOTES_ECHO'),
      tool('NOTES_OLD', { is_deprecated: true }),
      tool('WEATHER_API_GET', { toolkit: { slug: 'Weather-API' }, no_auth: true }),
    ],
    authConfigs: [],
    scripted: new Map(),
    answers: new Map(),
    done: [],
    notes: '1. buy milk',
    isDown: false,
    linkUrl: `${url}/link/`,
    pageSize: 2,
    underway: () => underway,
    async close() {
      for (const response of held) response.destroy()
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }

  const send = (response: ServerResponse, { status = 200, headers, body }: ScriptedAnswer): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...headers,
    })
    response.end(text)
  }
  const problem = (status: number, message: string, more: Json = {}): ScriptedAnswer => ({
    status,
    body: { error: { message, status, request_id: 'r', suggested_fix: '', ...more } },
  })
  const page = (items: readonly Json[], cursor: string | null): ScriptedAnswer => {
    const from = Number(cursor ?? 0)
    const to = from + server.pageSize
    return { body: { items: items.slice(from, to), next_cursor: to < items.length ? String(to) : null } }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', url)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (address.pathname.startsWith('/link/')) return signIn(address, response)
    const text = Buffer.concat(chunks).toString()
    const body = (text ? JSON.parse(text) : {}) as Json
    const key = request.headers['x-api-key'] as string | undefined
    const path = address.pathname.replace('/api/v3.1', '')
    server.requests.push({ line: `${request.method} ${path}${address.search}`, body, key })
    if (server.isDown)
      return send(response, { status: 503, body: '<html><h1>503 Service Unavailable</h1></html>' })
    if (key !== server.apiKey) return send(response, problem(401, `Invalid API key: ${key}`, { code: 10401 }))
    const answered = route(request.method ?? '', path, address.searchParams, body, response)
    if (answered) send(response, answered)
  }

  function route(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Json,
    response: ServerResponse,
  ): ScriptedAnswer | undefined {
    const last = decodeURIComponent(path.split('/').at(-1) ?? '')
    switch (`${method} ${path.split('/').slice(0, 3).join('/')}`) {
      case 'GET /toolkits':
        return page(server.toolkits, query.get('cursor'))
      case 'GET /tools': {
        const slug = query.get('toolkit_slug')
        const tools = server.tools.filter((one) => (one['toolkit'] as Json)['slug'] === slug)
        return page(tools, query.get('cursor'))
      }
      case 'GET /auth_configs': {
        const slug = query.get('toolkit_slug')
        return {
          body: { items: server.authConfigs.filter((one) => (one['toolkit'] as Json)['slug'] === slug) },
        }
      }
      case 'POST /auth_configs': {
        const { slug } = body['toolkit'] as { slug: string }
        if (slug === 'gmail') return problem(400, 'no managed auth for this toolkit')
        const config = { id: `ac_${++next}`, toolkit: { slug }, status: 'ENABLED' }
        server.authConfigs.push(config)
        return { status: 201, body: { toolkit: { slug }, auth_config: { id: config.id } } }
      }
      case 'GET /connected_accounts':
        if (path !== '/connected_accounts') return account(method, last)
        return { body: { items: listAccounts(query), next_cursor: null } }
      case 'POST /connected_accounts/link':
        return createLink(body)
      case 'POST /tools/execute':
        return execute(last, body, response)
      default:
        return path.startsWith('/connected_accounts/') ? account(method, last) : problem(404, 'no such route')
    }
  }

  function createLink(body: Json): ScriptedAnswer {
    const id = `ca_${++next}`
    const config = server.authConfigs.find((one) => one['id'] === body['auth_config_id'])
    server.accounts.set(id, {
      id,
      userId: String(body['user_id']),
      token: `ya29.token-of-${id}-very-secret`,
      callbackUrl: String(body['callback_url']),
      toolkit: String((config?.['toolkit'] as Json | undefined)?.['slug']),
      status: 'INITIATED',
      statusReason: null,
      alias: null,
    })
    const redirect = `${server.linkUrl}${id}`
    return {
      status: 201,
      body: { connected_account_id: id, redirect_url: redirect, link_token: 'lt', expires_at: '' },
    }
  }

  /** The page where a person says yes or no. */
  function signIn(address: URL, response: ServerResponse): void {
    const found = server.accounts.get(address.pathname.slice('/link/'.length))
    if (!found) return send(response, { status: 404, body: 'gone' })
    const allowed = address.searchParams.get('answer') === 'allow'
    found.status = allowed ? 'ACTIVE' : 'FAILED'
    const back = new URL(found.callbackUrl)
    back.searchParams.set('status', allowed ? 'success' : 'failed')
    back.searchParams.set('connected_account_id', found.id)
    response.writeHead(302, { location: back.href })
    response.end()
  }

  function listAccounts(query: URLSearchParams): readonly Json[] {
    const asks = (name: string, value: string) =>
      [...query].some(([key, wanted]) => key.startsWith(name) && wanted.split(',').includes(value))
    return [...server.accounts.values()]
      .filter(
        ({ userId, toolkit: slug, status }) =>
          asks('user_ids', userId) && asks('toolkit_slugs', slug) && asks('statuses', status),
      )
      .map(({ id }) => account('GET', id).body as Json)
  }

  function account(method: string, id: string): ScriptedAnswer {
    const found = server.accounts.get(id)
    if (!found) return problem(404, 'Connected account not found', { slug: 'ConnectedAccount_NotFound' })
    if (method === 'DELETE') {
      server.accounts.delete(id)
      return { body: { success: true } }
    }
    const { status, statusReason, alias, token, userId, toolkit: slug } = found
    const val = { status, access_token: token, email: `${id}@example.com` }
    return {
      body: {
        id,
        status,
        status_reason: statusReason,
        alias,
        word_id: `${slug}_red-castle`,
        is_disabled: false,
        user_id: userId,
        toolkit: { slug },
        auth_config: { id: 'ac_1', auth_scheme: 'OAUTH2', is_disabled: false },
        state: { authScheme: 'OAUTH2', val },
        data: val,
        params: {},
      },
    }
  }

  function execute(slug: string, body: Json, response: ServerResponse): ScriptedAnswer | undefined {
    const scripted = server.scripted.get(slug)?.shift()
    if (scripted) return scripted
    const called = server.tools.find((one) => one['slug'] === slug)
    if (!called) return problem(404, `Tool ${slug} not found`, { slug: 'Tool_ToolNotFound' })
    if (called['no_auth'] !== true) {
      const found = server.accounts.get(String(body['connected_account_id']))
      if (!found) return problem(400, 'No connected account found', { code: 1803 })
      if (found.userId !== body['user_id']) return problem(400, 'user ID does not match', { code: 1812 })
      if (found.status !== 'ACTIVE') {
        return problem(400, 'Connected account is not active', {
          slug: 'ActionExecute_ConnectedAccountExpired',
        })
      }
    }
    server.done.push(slug)
    const own = server.answers.get(slug)
    if (own) {
      const given = own(body['arguments'] as Json)
      if (!given) held.add(response)
      return given
    }
    if (slug === 'NOTES_RUN_FOREVER') {
      held.add(response)
      return undefined
    }
    const args = body['arguments'] as Json
    if (slug === 'NOTES_ECHO') {
      const echo = `called with x-api-key ${server.apiKey} / ${encodeURIComponent(server.apiKey)}`
      if (args['how'] === 'throws') return problem(400, echo)
      return { body: { successful: args['how'] !== 'fails', error: echo, data: { echo } } }
    }
    const data = slug === 'NOTES_LIST_NOTES' ? { notes: server.notes } : { done: args }
    return { body: { successful: true, error: null, data, log_id: 'log_1' } }
  }

  return server
}
