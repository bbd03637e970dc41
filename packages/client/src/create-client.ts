import { io } from 'socket.io-client'
import type { ApiClient } from './http/api-client.ts'
import { createApiClient } from './http/api-client.ts'
import { ApiError } from './http/api-error.ts'
import type { LiveConnection, RawSocket } from './live/live-connection.ts'
import { createLiveConnection } from './live/live-connection.ts'

/** A server, as a program or a page talks to it: commands by `api`, events by the rest. */
export interface Client extends LiveConnection {
  readonly api: ApiClient
}

/** Where the server is and who asks. A browser needs neither: it asks where the page came from, with its cookie. */
export interface ClientOptions {
  /** The server's address, such as `http://127.0.0.1:4100`. */
  readonly url?: string
  /** The install token: the program acts as the owner. */
  readonly token?: string
  /** The cookie of a login, `name=value`: the program acts as that user. */
  readonly cookie?: string
  readonly fetch?: typeof fetch
  /** Asks the owner to log in again, for a request that reaches the machine. True when they have. */
  readonly onLoginAgain?: () => Promise<boolean>
  /** Gets what a listener threw; its watch goes on. Default: `reportError` of a page, nothing in a program. */
  readonly onProblem?: (error: unknown) => void
}

/** Opens the live connection at once. A program ends only after `close`. */
export function createClient(options: ClientOptions = {}): Client {
  const { url, fetch, onLoginAgain, onProblem = reportToPage } = options
  const headers = toHeaders(options)
  const api = createApiClient({
    ...(url === undefined ? undefined : { base: url }),
    ...(headers ? { headers } : undefined),
    ...(fetch ? { fetch } : undefined),
    ...(onLoginAgain ? { onLoginAgain } : undefined),
    onSignedOut: () => live.reportSignedOut(),
  })
  const settings = {
    autoConnect: false,
    forceNew: true,
    withCredentials: true,
    transports: ['websocket', 'polling'],
    reconnectionDelay: 300,
    reconnectionDelayMax: 2500,
    ...(headers ? { extraHeaders: { ...headers } } : undefined),
  }
  const socket = url === undefined ? io(settings) : io(url, settings)
  const live = createLiveConnection({
    // The library's own type has overloads for names that are not in our event maps.
    socket: socket as unknown as RawSocket,
    readEvents: (threadId, after, signal) => api.events(threadId, { after, signal }),
    streamEvents: (threadId, after, signal) => api.streamEvents(threadId, { after, signal }),
    checkLogin: () => checkLogin(api),
    onProblem,
  })
  return { api, ...live }
}

function toHeaders({ url, token, cookie }: ClientOptions): Readonly<Record<string, string>> | undefined {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  // The server takes a cookie from its own pages alone, so a program names the origin of one.
  return cookie === undefined ? undefined : { cookie, ...(url ? { origin: new URL(url).origin } : undefined) }
}

async function checkLogin(api: ApiClient): Promise<'ok' | 'signed-out' | 'unreachable'> {
  try {
    await api.me()
    return 'ok'
  } catch (error) {
    return error instanceof ApiError && error.code === 'signed_out' ? 'signed-out' : 'unreachable'
  }
}

/** As a page does with the errors of its own event listeners. */
function reportToPage(error: unknown): void {
  const page: object & { readonly reportError?: (error: unknown) => void } = globalThis
  page.reportError?.(error)
}
