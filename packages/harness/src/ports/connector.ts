import type { ConnectionReasonCode, ConnectionRow, ToolkitRow } from '@capstan/protocol'
import type { JsonObject } from '../turn/json.ts'
import type { Effect, JsonSchema } from '../turn/tool.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'

/**
 * A way to reach apps: MCP servers, Composio, toolkits of this process. Everything it says of an app was written by
 * strangers. It never shows a token to anybody: they go from the service into the vault and from there to the service.
 */
export interface Connector {
  readonly id: string
  /** The apps it can reach, connected or not. Rejects when it cannot tell: unavailable is never "none". */
  toolkits(): Promise<readonly ToolkitRow[]>
  /**
   * Begins a sign-in for a connection that is `pending`. `state` must come back in the callback. Answers with where the
   * person has to go, or with how the connection stands when nobody has to go anywhere.
   */
  beginSignIn(connection: ConnectionRow, signIn: SignIn): Promise<SignInStep>
  /** The person came back. Only ever called with the callback of the sign-in that was begun for this connection. */
  finishSignIn(connection: ConnectionRow, callback: SignInCallback): Promise<ConnectionState>
  /** How a connection stands at the service. Rejects when it cannot tell. */
  check(connection: ConnectionRow, signal?: AbortSignal): Promise<ConnectionState>
  /** What can be done through an active connection, asked for anew each time. */
  actions(connection: ConnectionRow, signal?: AbortSignal): Promise<readonly Action[]>
  /**
   * Does it. What went wrong is an outcome with the facts that are known (`httpStatus`, `errorCode`, `retryAfterMs`), so
   * that it can be classified; a token that is no longer good is `httpStatus: 401`. Never throws for what a service does.
   */
  execute(connection: ConnectionRow, action: string, args: JsonObject, call: ActionCall): Promise<ToolOutcome>
  /** Gives the authorisation back where the service allows it, and forgets the tokens. Never throws. */
  disconnect(connection: ConnectionRow): Promise<void>
  /** Hears when toolkits or actions changed by themselves. The result stops it. */
  onChange(listener: (change: { readonly toolkit: string }) => void): () => void
  close(): Promise<void>
}

export interface SignIn {
  readonly state: string
  /** Where the service sends the person back to, matched exactly. */
  readonly redirectUri: string
}

export type SignInStep =
  | { readonly type: 'visit'; readonly url: string }
  | ({ readonly type: 'settled' } & ConnectionState)

/** What the service sent back with the person, except for `state`, which was checked before. */
export interface SignInCallback {
  readonly params: URLSearchParams
  readonly redirectUri: string
}

export interface ConnectionState {
  readonly status: Exclude<ConnectionRow['status'], 'disconnected'>
  /** Which account it is, where the service says so. */
  readonly label?: string
  /** Why it cannot be used, in plain words. */
  readonly reason?: string
  /** Why, for programs. A consent the person refused is `declined`. */
  readonly reasonCode?: ConnectionReasonCode
}

/** One thing an app can do. */
export interface Action {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
  /** How far it reaches. Unknown is `write`. */
  readonly effect: Effect
  /** Of name, description and schema: it changes when somebody rewrites what the action claims to be. */
  readonly digest: string
}

export interface ActionCall {
  readonly signal: AbortSignal
  /** The same for a repeated attempt at the same call. */
  readonly idempotencyKey: string
}
