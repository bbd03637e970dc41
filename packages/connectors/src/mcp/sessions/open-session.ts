import { sanitizeLine } from '@capstan/harness'
import type { Clock } from '@capstan/harness'
import type { CallToolResult, ElicitRequest, PriorDiscovery, Tool } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { WantedVisit } from '../errors.ts'
import { CannotStart, VisitsWanted } from '../errors.ts'
import type { McpServerConfig } from '../servers/server-config.ts'
import { createServerFetch } from '../transports/server-fetch.ts'
import type { StdioTransport } from '../transports/stdio-transport.ts'
import { createStdioTransport } from '../transports/stdio-transport.ts'
import type { TokenKeeper } from '../sign-in/access-tokens.ts'

/** An open line to a server, for one connection. */
export interface Session {
  readonly instructions: string | undefined
  readonly era: 'legacy' | 'modern'
  readonly isOpen: boolean
  listPage(cursor: string | undefined, options: CallLimits): Promise<ToolPage>
  call(params: ToolCallParams, options: CallLimits & { definition: Tool | undefined }): Promise<CalledTool>
  /** Whether the server still answers. */
  ping(options: CallLimits): Promise<void>
  /** Keeps the process alive while somebody waits for an answer. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

interface CallLimits {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

interface ToolPage {
  readonly tools: readonly Tool[]
  readonly nextCursor?: string
  /** How long the server says the list is good for. */
  readonly ttlMs?: number
}

interface ToolCallParams {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

export interface CalledTool {
  readonly result: CallToolResult
  /** Pages the server wanted to send the person to while it worked. None was opened. */
  readonly wantedVisits: readonly WantedVisit[]
}

export interface OpenSessionOptions {
  readonly server: McpServerConfig
  readonly tokens?: { readonly keeper: TokenKeeper; readonly connectionId: string }
  readonly clock: Clock
  readonly clientName: string
  readonly clientVersion: string
  readonly openTimeoutMs: number
  readonly prior?: PriorDiscovery
  /** Aborted when nobody wants it any more. */
  readonly signal: AbortSignal
  readonly onToolsChanged: () => void
  /** It ended without being asked to. */
  readonly onLost: () => void
}

const PRINTED_CHARS = 300
const PROBE_TIMEOUT_MS = 3_000
const RELISTEN_DELAY_MS = 2_000

/**
 * Opens it, by the newest revision both sides speak. Rejects with what the server or the network did; `SignInNeeded` is
 * among the causes when the server wants a sign-in. Samples nothing, shows no roots, opens no page.
 */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const { server } = options
  if (server.transport.type === 'http') return connect(options, undefined)
  let child: StdioTransport | undefined
  try {
    child = createStdioTransport(server.transport)
    return await connect(options, child)
  } catch (error) {
    // Some older programs end at the first word they do not know. They get a second life, spoken to the old way.
    const isOld = (error as { code?: unknown }).code === 'ERA_NEGOTIATION_FAILED'
    if (isOld && options.prior === undefined && !options.signal.aborted) {
      return openSession({ ...options, prior: { kind: 'legacy' } })
    }
    await child?.close()
    throw new CannotStart(sanitizeLine(child?.stderr.slice(-PRINTED_CHARS), PRINTED_CHARS), { cause: error })
  }
}

async function connect(options: OpenSessionOptions, child: StdioTransport | undefined): Promise<Session> {
  const { server, clock, tokens, onLost, onToolsChanged } = options
  const inFlight = new Set<WantedVisit[]>()
  let state: 'open' | 'closing' | 'closed' = 'open'

  const client = new Client(
    { name: options.clientName, version: options.clientVersion },
    {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: {
        mode: 'auto',
        probe: child ? { timeoutMs: PROBE_TIMEOUT_MS } : { timeoutMs: options.openTimeoutMs },
      },
      inputRequired: { maxRounds: 3 },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 50, onChanged: () => onToolsChanged() },
      },
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }: ElicitRequest) => {
    if (params.mode === 'url') {
      const visit = { url: sanitizeLine(params.url, 300), message: sanitizeLine(params.message, 300) }
      for (const visits of inFlight) visits.push(visit)
    }
    return { action: 'decline' }
  })

  const http = child ? undefined : createHttpTransport(server, { tokens, now: () => clock.now() })
  const transport = child ?? http!
  const abandon = () => void transport.close()
  options.signal.addEventListener('abort', abandon, { once: true })
  await client
    .connect(transport, {
      timeout: options.openTimeoutMs,
      ...(options.prior ? { prior: options.prior } : undefined),
    })
    .finally(() => options.signal.removeEventListener('abort', abandon))
  const modern = client.getProtocolEra() === 'modern'
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no event target
  client.onclose = () => {
    const wasLost = state === 'open'
    state = 'closed'
    if (wasLost) onLost()
  }
  if (modern) keepListening()

  /** A stream of news that broke off is opened again once; after that the next opening brings it back. */
  function keepListening(): void {
    void client.autoOpenedSubscription?.closed.then((how) => {
      if (how === 'local' || state !== 'open') return
      onToolsChanged() // something may have been missed
      clock.after(RELISTEN_DELAY_MS, () => {
        if (state === 'open') client.listen({ toolsListChanged: true }).catch(() => {})
      })
    })
  }

  return {
    get isOpen() {
      return state === 'open'
    },
    instructions: client.getInstructions(),
    era: modern ? 'modern' : 'legacy',
    async listPage(cursor, { signal, timeoutMs }) {
      return client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        { timeout: timeoutMs, signal },
      )
    },
    async call({ name, args, meta }, { signal, timeoutMs, definition }) {
      const wantedVisits: WantedVisit[] = []
      inFlight.add(wantedVisits)
      try {
        // Headers are made from the definition; what comes back is read by a model, so no schema of a stranger is compiled.
        const { outputSchema: _, ...known } = definition ?? { outputSchema: undefined }
        const result = await client.callTool(
          { name, arguments: { ...args }, _meta: { ...meta } },
          {
            timeout: timeoutMs,
            signal,
            ...(definition ? { toolDefinition: known as Tool } : undefined),
          },
        )
        return { result, wantedVisits }
      } catch (error) {
        throw wantedVisits.length === 0 ? error : new VisitsWanted(wantedVisits, { cause: error })
      } finally {
        inFlight.delete(wantedVisits)
      }
    },
    async ping({ signal, timeoutMs }) {
      const limits = { timeout: timeoutMs, signal }
      await (modern ? client.discover(limits) : client.ping(limits))
    },
    hold: (isHeld) => child?.hold(isHeld),
    async close() {
      if (state !== 'open') return
      state = 'closing'
      // A server that keeps sessions is told, but not waited for long.
      if (http?.sessionId !== undefined) await within(2_000, http.terminateSession())
      await client.close().catch(() => {})
      state = 'closed'
    },
  }
}

function createHttpTransport(
  { transport }: McpServerConfig,
  { tokens, now }: Pick<OpenSessionOptions, 'tokens'> & { readonly now: () => number },
): StreamableHTTPClientTransport {
  if (transport.type !== 'http') throw new TypeError('not an HTTP server')
  const { fetch, authProvider } = createServerFetch({ ...(tokens ? { tokens } : undefined), now })
  return new StreamableHTTPClientTransport(new URL(transport.url), {
    fetch,
    authProvider,
    onInsufficientScope: 'throw',
    redirectPolicy: 'same-origin',
    ...(transport.headers ? { requestInit: { headers: { ...transport.headers } } } : undefined),
  })
}

function within(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(done, done)
  })
}
