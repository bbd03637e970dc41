import type { ApprovalRow } from './ledger.ts'
import type { ConnectionRow } from './connection.ts'
import type { ThreadId } from './ids.ts'
import type { ThreadSummary } from './api.ts'
import type { TurnEvent } from './turn-event.ts'

// Event maps of the socket. It is for hearing; whatever changes something goes over HTTP.

/** What a client says. */
export interface ClientEvents {
  /** Sends what came after this number, then what comes, without a gap and without a repeat. */
  'thread-watch': (
    watch: { readonly threadId: ThreadId; readonly after: number },
    answer: (reply: WatchReply) => void,
  ) => void
  'thread-leave': (threadId: ThreadId) => void
  /** Somebody began to write: what a turn will need is made ready. */
  'typing-start': () => void
}

/** `unknown`: there is no such thread, or it is somebody else's. */
export type WatchReply =
  | { readonly ok: true; readonly lastSeq: number }
  | { readonly ok: false; readonly reason: 'unknown' | 'invalid' | 'too_many' }

/** What the server says. All but `turn-events` goes to every page of the user. */
export interface ServerEvents {
  /** In order, of one thread. */
  'turn-events': (events: readonly TurnEvent[]) => void
  /** What changed within a moment, each thread once. */
  'threads-change': (threads: readonly ThreadSummary[]) => void
  'thread-remove': (threadId: ThreadId) => void
  /** Asked, answered or expired, wherever it was answered. */
  'approval-change': (approval: ApprovalRow) => void
  'connection-change': (connection: ConnectionRow) => void
  /** Apps, scopes or servers are not what they were: read them again. */
  'toolkits-change': () => void
  'settings-change': () => void
  /** The server is about to stop; it will be back, or not. */
  'server-stop': () => void
}
