import type { Clock } from '@capstan/harness/seams'
import type {
  CallToolResult,
  Client,
  ListResourcesResult,
  ReadResourceResult,
  Tool,
} from '@modelcontextprotocol/client'
import type { WantedVisit } from '../errors.ts'
import { VisitsWanted } from '../errors.ts'
import type { ResourceChanges, ResourceListeners } from './resource-changes.ts'
import { createResourceChanges } from './resource-changes.ts'

/** An open session with a server, for one connection. */
export interface Session {
  readonly instructions: string | undefined
  readonly era: 'legacy' | 'modern'
  readonly isOpen: boolean
  /** Whether the server says that it has resources. */
  readonly hasResources: boolean
  listPage(cursor: string | undefined, options: CallLimits): Promise<ToolPage>
  call(params: ToolCallParams, options: CallLimits & { definition: Tool | undefined }): Promise<CalledTool>
  listResources(cursor: string | undefined, options: CallLimits): Promise<ListResourcesResult>
  readResource(uri: string, options: CallLimits): Promise<ReadResourceResult>
  readonly resourceChanges: ResourceChanges
  /** Settles when the session has ended, in whatever way. */
  readonly closed: Promise<void>
  /** Rejects when the server does not answer. */
  ping(options: CallLimits): Promise<void>
  /** Keeps this process alive while a caller waits for an answer. */
  hold(isHeld: boolean): void
  /** What a sandbox refused the server's program, in words. `text` is an error that it answered with. */
  explainRefusal(text: string): string | undefined
  close(): Promise<void>
}

export interface CallLimits {
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

export interface SessionParts {
  /** Connected. */
  readonly client: Client
  /** Gets what the server wants the person to visit while a call runs. */
  readonly callsInFlight: Set<WantedVisit[]>
  readonly clock: Clock
  readonly hold: (isHeld: boolean) => void
  readonly explainRefusal: (text: string) => string | undefined
  /** Tells a server that keeps sessions that this one is over. */
  readonly terminate: () => Promise<unknown>
  readonly onToolsChanged: () => void
  /** What the server says that it tells of. Notified by the handlers of the client. */
  readonly resources: ResourceListeners
  /** Called when the session ends without `close`. */
  readonly onLost: () => void
}

const RELISTEN_DELAY_MS = 2_000
const TERMINATE_TIMEOUT_MS = 2_000

/** Makes a session of a connected client. */
export function createSession(parts: SessionParts): Session {
  const { client } = parts
  const isModern = client.getProtocolEra() === 'modern'
  let state: 'open' | 'closing' | 'closed' = 'open'
  const closed = Promise.withResolvers<void>()
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no event target
  client.onclose = () => {
    const wasLost = state === 'open'
    state = 'closed'
    closed.resolve()
    if (wasLost) parts.onLost()
  }
  if (isModern) keepListening(parts, () => state === 'open')

  return {
    get isOpen() {
      return state === 'open'
    },
    instructions: client.getInstructions(),
    era: isModern ? 'modern' : 'legacy',
    async listPage(cursor, { signal, timeoutMs }) {
      return client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        { timeout: timeoutMs, signal },
      )
    },
    call: (params, options) => callTool(parts, params, options),
    hasResources: client.getServerCapabilities()?.resources !== undefined,
    listResources: (cursor, { signal, timeoutMs }) =>
      client.request(
        { method: 'resources/list', params: cursor === undefined ? {} : { cursor } },
        { timeout: timeoutMs, signal },
      ),
    readResource: (uri, { signal, timeoutMs }) =>
      client.request({ method: 'resources/read', params: { uri } }, { timeout: timeoutMs, signal }),
    resourceChanges: createResourceChanges(client, parts.resources),
    closed: closed.promise,
    async ping({ signal, timeoutMs }) {
      const limits = { timeout: timeoutMs, signal }
      await (isModern ? client.discover(limits) : client.ping(limits))
    },
    hold: parts.hold,
    explainRefusal: parts.explainRefusal,
    async close() {
      if (state !== 'open') return
      state = 'closing'
      closed.resolve()
      await within(TERMINATE_TIMEOUT_MS, parts.terminate())
      await client.close().catch(() => {})
      state = 'closed'
    },
  }
}

/** Reopens a broken stream of changes once. After that, the next session brings it back. */
function keepListening({ client, clock, onToolsChanged }: SessionParts, isOpen: () => boolean): void {
  void client.autoOpenedSubscription?.closed.then((how) => {
    if (how === 'local' || !isOpen()) return
    onToolsChanged() // a change may have been missed
    clock.after(RELISTEN_DELAY_MS, () => {
      if (isOpen()) client.listen({ toolsListChanged: true }).catch(() => {})
    })
  })
}

async function callTool(
  { client, callsInFlight }: SessionParts,
  { name, args, meta }: ToolCallParams,
  { signal, timeoutMs, definition }: CallLimits & { definition: Tool | undefined },
): Promise<CalledTool> {
  const wantedVisits: WantedVisit[] = []
  callsInFlight.add(wantedVisits)
  try {
    // The library makes headers from the definition. Without the output schema it compiles no schema from the server.
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
    callsInFlight.delete(wantedVisits)
  }
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
