import type { ApprovalRow } from './ledger.ts'
import type { ConnectionRow } from './connection.ts'
import type { ThreadId } from './ids.ts'
import type { ThreadSummary } from './api.ts'
import type { TurnEvent } from './turn-event.ts'

// Event maps of the socket. HTTP sends commands; the socket delivers events.

/** What a client sends. */
export interface ClientEvents {
  /** Asks for every event after this number, then for new ones, without a gap and without a repeat. */
  'thread-watch': (
    watch: { readonly threadId: ThreadId; readonly after: number },
    answer: (reply: WatchReply) => void,
  ) => void
  'thread-leave': (threadId: ThreadId) => void
  /** Somebody began to write: the server prepares what a turn will need. */
  'typing-start': () => void
}

/** `unknown`: there is no such thread, or it belongs to somebody else. */
export type WatchReply =
  | { readonly ok: true; readonly lastSeq: number }
  | { readonly ok: false; readonly reason: 'unknown' | 'invalid' | 'too_many' }

/** What the server sends. All but `turn-events` goes to every connection of the user. */
export interface ServerEvents {
  /** Events of one thread, in order. */
  'turn-events': (events: readonly TurnEvent[]) => void
  /** The threads that changed within a moment, each once. */
  'threads-change': (threads: readonly ThreadSummary[]) => void
  'thread-remove': (threadId: ThreadId) => void
  /** Asked, answered or expired, wherever it was answered. */
  'approval-change': (approval: ApprovalRow) => void
  'connection-change': (connection: ConnectionRow) => void
  /** Apps, scopes or servers have changed: read them again. */
  'toolkits-change': () => void
  'settings-change': () => void
  /** The server is about to stop. */
  'server-stop': () => void
}
