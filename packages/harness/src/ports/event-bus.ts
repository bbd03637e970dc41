import type { ConnectionRow, ScopeSettings } from '@capstan/protocol'

/** What happened to a user's connections, whoever did it. */
export interface ConnectionsChanged {
  readonly type: 'connections-changed'
  readonly userId: string
  /** Which one it was, and how it stands now. */
  readonly connection: ConnectionRow
}

/** The user allows more or less in an app. */
export interface ScopesChanged {
  readonly type: 'scopes-changed'
  readonly userId: string
  readonly toolkit: string
  readonly scopes: ScopeSettings
}

/** There are more apps or fewer. Told to every user of whom this process knows. */
export interface ToolkitsChanged {
  readonly type: 'toolkits-changed'
  readonly userId: string
}

export type BusEvent = ConnectionsChanged | ScopesChanged | ToolkitsChanged

/** Tells everybody in this process, and later on other nodes. A listener that throws does not keep it from the others. */
export interface EventBus {
  publish(event: BusEvent): void
  /** The result stops it. */
  subscribe(listener: (event: BusEvent) => void): () => void
}
