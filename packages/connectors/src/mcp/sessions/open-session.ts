import { sanitizeLine } from '@capstan/harness/connectors'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Clock } from '@capstan/harness/seams'
import type { ElicitRequest, PriorDiscovery } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { WantedVisit } from '../errors.ts'
import { CannotStart } from '../errors.ts'
import type { HttpServer, McpServerConfig } from '../servers/server-config.ts'
import type { SessionAuth } from '../transports/server-fetch.ts'
import { createServerFetch } from '../transports/server-fetch.ts'
import type { StdioTransport } from '../transports/stdio-transport.ts'
import { createStdioTransport } from '../transports/stdio-transport.ts'
import { listenToResources } from './resource-changes.ts'
import type { Session } from './session.ts'
import { createSession } from './session.ts'

export interface OpenSessionOptions {
  readonly server: McpServerConfig
  readonly auth?: SessionAuth
  /** Confines the program of a server. Without one, no program is started. */
  readonly sandbox?: Sandbox
  readonly clock: Clock
  readonly client: { readonly name: string; readonly version: string }
  readonly openTimeoutMs: number
  readonly prior?: PriorDiscovery
  /** Aborted when the session is no longer needed. */
  readonly signal: AbortSignal
  readonly onToolsChanged: () => void
  /** Called when the session ends without `close`. */
  readonly onLost: () => void
}

const PRINTED_CHARS = 300
const PROBE_TIMEOUT_MS = 3_000
const VISIT_CHARS = 300

/**
 * Opens a session, in the newest protocol revision that both sides know. Rejects with what the server or the network did;
 * `SignInNeeded` is among the causes when the server wants a sign-in. Never samples, lists roots or opens a page for the
 * server.
 */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const { transport } = options.server
  if (transport.type === 'http') {
    const http = createHttpTransport(transport, options)
    return connect(options, {
      transport: http,
      hold: () => {},
      explainRefusal: () => undefined,
      terminate: async () => {
        if (http.sessionId !== undefined) await http.terminateSession()
      },
    })
  }
  let child: StdioTransport | undefined
  try {
    child = createStdioTransport(transport, { sandbox: options.sandbox })
    return await connect(options, {
      transport: child,
      hold: (isHeld) => child?.hold(isHeld),
      explainRefusal: (text) => child?.explainRefusal(text),
      terminate: () => Promise.resolve(),
    })
  } catch (error) {
    // Some older programs exit at the first message they do not know. They are started again with the old handshake.
    const isLegacy = (error as { code?: unknown }).code === 'ERA_NEGOTIATION_FAILED'
    if (isLegacy && options.prior === undefined && !options.signal.aborted) {
      return openSession({ ...options, prior: { kind: 'legacy' } })
    }
    const ending = child?.ending
    await child?.close()
    throw new CannotStart(sanitizeLine(child?.stderr.toShort(PRINTED_CHARS), PRINTED_CHARS), {
      cause: error,
      refusal: child?.explainRefusal(''),
      ending,
    })
  }
}

interface Link {
  readonly transport: StdioTransport | StreamableHTTPClientTransport
  readonly hold: (isHeld: boolean) => void
  readonly explainRefusal: (text: string) => string | undefined
  readonly terminate: () => Promise<unknown>
}

async function connect(options: OpenSessionOptions, link: Link): Promise<Session> {
  const { transport } = link
  const { clock, prior, signal, openTimeoutMs, onToolsChanged, onLost } = options
  const callsInFlight = new Set<WantedVisit[]>()
  const client = createClient(options, callsInFlight)
  const resources = listenToResources(client)
  const abandon = () => void transport.close()
  signal.addEventListener('abort', abandon, { once: true })
  await client
    .connect(transport, { timeout: openTimeoutMs, ...(prior ? { prior } : undefined) })
    .finally(() => signal.removeEventListener('abort', abandon))
  return createSession({ ...link, client, callsInFlight, clock, onToolsChanged, resources, onLost })
}

function createClient(
  { server, client: info, openTimeoutMs, onToolsChanged }: OpenSessionOptions,
  callsInFlight: ReadonlySet<WantedVisit[]>,
): Client {
  const client = new Client(info, {
    capabilities: { elicitation: { url: {} } },
    versionNegotiation: {
      mode: 'auto',
      probe: { timeoutMs: server.transport.type === 'stdio' ? PROBE_TIMEOUT_MS : openTimeoutMs },
    },
    inputRequired: { maxRounds: 3 },
    listChanged: {
      tools: { autoRefresh: false, debounceMs: 50, onChanged: () => onToolsChanged() },
    },
  })
  client.setRequestHandler('elicitation/create', ({ params }: ElicitRequest) => {
    if (params.mode === 'url') {
      const url = sanitizeLine(params.url, VISIT_CHARS)
      const message = sanitizeLine(params.message, VISIT_CHARS)
      for (const visits of callsInFlight) visits.push({ url, message })
    }
    return { action: 'decline' }
  })
  return client
}

function createHttpTransport(
  { url, headers }: HttpServer,
  { auth, clock }: OpenSessionOptions,
): StreamableHTTPClientTransport {
  const { fetch, authProvider } = createServerFetch({ auth, now: () => clock.now() })
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    authProvider,
    onInsufficientScope: 'throw',
    redirectPolicy: 'same-origin',
    ...(headers ? { requestInit: { headers: { ...headers } } } : undefined),
  })
}
