import type { ConnectionRow, ScopeSettings } from '@capstan/protocol'

/** A connection of a user changed. */
export interface ConnectionsChanged {
  readonly type: 'connections-changed'
  readonly userId: string
  /** The connection as it is now. */
  readonly connection: ConnectionRow
}

/** The user changed the scopes of a toolkit. */
export interface ScopesChanged {
  readonly type: 'scopes-changed'
  readonly userId: string
  readonly toolkit: string
  readonly scopes: ScopeSettings
}

/** The list of toolkits changed. Published for every user this process knows. */
export interface ToolkitsChanged {
  readonly type: 'toolkits-changed'
  readonly userId: string
}

/** Everything that travels on the bus. */
export type BusEvent = ConnectionsChanged | ScopesChanged | ToolkitsChanged

/** Delivers events to all listeners of this process. A listener that throws does not stop the others. */
export interface EventBus {
  publish(event: BusEvent): void
  /** The result unsubscribes it. */
  subscribe(listener: (event: BusEvent) => void): () => void
}
