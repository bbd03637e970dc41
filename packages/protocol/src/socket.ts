import type { ApprovalRow } from './ledger.ts'
import type { ConnectionRow } from './connection.ts'
import type { ThreadId } from './ids.ts'
import type { ThreadSummary } from './api.ts'
import type { TurnEvent } from './turn-event.ts'

// Event maps of the socket. HTTP sends commands; the socket delivers events.

/** Events from a client. */
export interface ClientEvents {
  /** Asks for the events after a sequence number, then for live ones, without gaps and repeats. */
  'thread-watch': (
    watch: { readonly threadId: ThreadId; readonly after: number },
    answer: (reply: WatchReply) => void,
  ) => void
  'thread-leave': (threadId: ThreadId) => void
  /** The user began to type: the server loads what a turn will need. */
  'typing-start': () => void
}

/** `unknown`: the thread does not exist or belongs to another user. */
export type WatchReply =
  | { readonly ok: true; readonly lastSeq: number }
  | { readonly ok: false; readonly reason: 'unknown' | 'invalid' | 'too_many' }

/** Events from the server. All but `turn-events` go to every page of the user. */
export interface ServerEvents {
  /** Events of one thread, in order. */
  'turn-events': (events: readonly TurnEvent[]) => void
  /** Threads that changed within a moment, each once. */
  'threads-change': (threads: readonly ThreadSummary[]) => void
  'thread-remove': (threadId: ThreadId) => void
  /** An approval was requested, answered or expired. */
  'approval-change': (approval: ApprovalRow) => void
  'connection-change': (connection: ConnectionRow) => void
  /** Apps, scopes or servers changed: read them again. */
  'toolkits-change': () => void
  'settings-change': () => void
  /** Jobs were added, ran or changed: read them again. */
  'jobs-change': () => void
  /** Items or facts of memory changed: read them again. */
  'memory-change': () => void
  /** The server is about to stop. */
  'server-stop': () => void
}
