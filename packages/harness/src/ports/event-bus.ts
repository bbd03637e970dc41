import type { ConnectionRow } from '@capstan/protocol'

/** What happened to a user's connections, whoever did it. */
export interface ConnectionsChanged {
  readonly type: 'connections-changed'
  readonly userId: string
  /** Which one it was, and how it stands now. */
  readonly connection: ConnectionRow
}

export type BusEvent = ConnectionsChanged

/** Tells everybody in this process, and later on other nodes. A listener that throws does not keep it from the others. */
export interface EventBus {
  publish(event: BusEvent): void
  /** The result stops it. */
  subscribe(listener: (event: BusEvent) => void): () => void
}
