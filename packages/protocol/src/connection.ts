/** `pending`: somebody is signing in. Only an `active` one can be used. */
export type ConnectionStatus = 'pending' | 'active' | 'expired' | 'failed' | 'revoked' | 'disconnected'

/** A user's authorised account at a toolkit, as a screen reads it. Never holds a token. */
export interface ConnectionRow {
  readonly id: string
  readonly userId: string
  /** Which connector reaches it, such as `mcp`. */
  readonly connector: string
  readonly toolkit: string
  readonly status: ConnectionStatus
  /** Which account: an address, a workspace, a name. Blank until it is known. */
  readonly label: string
  /** Used when no account is named. */
  readonly isDefault: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** Why it cannot be used, in plain words. */
  readonly reason?: string
  /** The same for programs, which never read the words. Absent: none of these. */
  readonly reasonCode?: ConnectionReasonCode
}

/** Why a connection cannot be used. */
export type ConnectionReasonCode =
  /** The person said no on the consent page. */
  | 'declined'
  /** The sign-in was not finished in time. */
  | 'abandoned'
  /** The sign-in was good once and is no longer. */
  | 'expired'
  /** The authorisation was withdrawn at the service. */
  | 'revoked'
  /** The service did not accept the sign-in, or the key. */
  | 'rejected'
  /** The service granted less than the app needs. */
  | 'insufficient-scope'
  /** The service could not be reached, or did not answer as it should. */
  | 'unavailable'
  /** Nothing answers at its address. */
  | 'unreachable'
  /** The name in its address is not known. */
  | 'unknown-host'
  /** There is no secure connection to it: its certificate or its TLS is at fault. */
  | 'insecure'
  /** It did not answer in time. */
  | 'timeout'
  /** A web page or something else answers, and no MCP server. */
  | 'not-mcp'
  /** It wants a sign-in and does not let this program register for one. */
  | 'no-registration'

/** An app, as a line on a screen names it. */
export interface AppName {
  readonly toolkit: string
  /** What people call it. */
  readonly name: string
}

/** An app's set of actions. */
export interface ToolkitRow {
  /** Lower case, digits and underscores. */
  readonly slug: string
  readonly name: string
  /** One line, for people and for the model. Untrusted: cut and cleaned before it is shown. */
  readonly description: string
  readonly connector: string
  /** `none`: it can be used without signing in. */
  readonly auth: 'none' | 'oauth' | 'key'
}

/** What an action may change. */
export type ActionEffect = 'read' | 'write' | 'admin'

/** An action of an app, and what it counts as. */
export interface ActionRow {
  readonly name: string
  /** Untrusted: cut and cleaned before it is shown. */
  readonly description: string
  readonly effect: ActionEffect
  /**
   * Why: by its name and arguments, by a claim of the app, set by the user, declared in code, or because its definition
   * changed since it was last used.
   */
  readonly because: 'name' | 'claim' | 'user' | 'code' | 'changed'
  /** Changes with the definition. A choice of the user holds for this definition only. */
  readonly digest: string
}

/** Which actions of a toolkit the model may use. */
export interface ScopeSettings {
  readonly read: boolean
  readonly write: boolean
  readonly admin: boolean
}
