import { io } from 'socket.io-client'
import { ApiError, createApiClient, createLiveConnection } from '@capstan/client'
import type { ApiClient, RawSocket, LiveConnection } from '@capstan/client'

/** The two ways to the server the page came from. */
export interface Server {
  readonly api: ApiClient
  readonly socket: LiveConnection
}

export function openServer(): Server {
  const api = createApiClient({ onSignedOut: () => socket.reportSignedOut() })
  // Its own types know every event of a socket by name; only those of the protocol are used.
  const raw = io({
    autoConnect: false,
    withCredentials: true,
    transports: ['websocket', 'polling'],
    reconnectionDelay: 300,
    reconnectionDelayMax: 2500,
  }) as unknown as RawSocket
  const socket = createLiveConnection({
    socket: raw,
    readEvents: (threadId, after, signal) => api.events(threadId, { after, signal }),
    isSignedOut: () =>
      api.me().then(
        () => false,
        (error: unknown) => error instanceof ApiError && error.code === 'signed_out',
      ),
  })
  return { api, socket }
}
