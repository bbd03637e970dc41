import type { ConnectionReasonCode, ConnectionRow, ToolkitRow } from '@capstan/protocol'
import type { JsonObject } from '../turn/json.ts'
import type { DataLabel, Effect, JsonSchema, ToolContext } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import type { AppWatch } from './app-watch.ts'
import type { SyncSource } from './sync-source.ts'

/**
 * A way to reach apps: MCP servers, Composio, toolkits of this process. What it reports about an app is untrusted text.
 * It never shows a token: tokens go from the service into the vault, and from there to the service.
 */
export interface Connector {
  readonly id: string
  /** The apps it can reach, connected or not. Rejects when the service is unavailable: that is never "none". */
  toolkits(): Promise<readonly ToolkitRow[]>
  /**
   * Starts a sign-in for a connection that is `pending`. `state` must come back in the callback. Answers with the page
   * the person has to visit, or with the state of the connection when no visit is needed.
   */
  beginSignIn(connection: ConnectionRow, signIn: SignIn): Promise<SignInStep>
  /** Finishes a sign-in. Only called with the callback of the sign-in that was started for this connection. */
  finishSignIn(connection: ConnectionRow, callback: SignInCallback): Promise<ConnectionState>
  /**
   * The state of a connection at the service. A connection that is `pending` becomes `active` only because a person signed
   * in at the service: until then it stays `pending`, and nothing is started for it. Rejects when the service is
   * unavailable.
   */
  check(connection: ConnectionRow, signal?: AbortSignal): Promise<ConnectionState>
  /**
   * Looks for an account of this user that is active at the service and was connected elsewhere, and ties the connection,
   * which is not stored yet, to it. `others` are the user's connections to the app: their accounts are not taken again.
   * Undefined when there is none. Absent for services without such accounts.
   */
  adopt?(
    connection: ConnectionRow,
    others: readonly ConnectionRow[],
    signal?: AbortSignal,
  ): Promise<ConnectionState | undefined>
  /**
   * The actions of an active connection, fetched on each call. An error with `cannotStart`, a sentence for a person, says
   * that the program behind the connection does not start: the connection has failed then.
   */
  actions(connection: ConnectionRow, signal?: AbortSignal): Promise<readonly Action[]>
  /**
   * What the service says about the use of its actions, once they were listed. Untrusted: it is only quoted, never part of
   * a system prompt.
   */
  instructions?(connection: ConnectionRow): string | undefined
  /**
   * Runs an action. A failure is an outcome with the facts that are known (`httpStatus`, `errorCode`, `retryAfterMs`), so
   * that it can be classified; a token that is no longer good is `httpStatus: 401`. Never throws for what a service does.
   */
  execute(connection: ConnectionRow, action: string, args: JsonObject, call: ActionCall): Promise<ToolOutcome>
  /** What a sync of an active connection reads. Undefined when its app offers nothing to sync. Absent: none does. */
  syncSource?(connection: ConnectionRow): SyncSource | undefined
  /** Listens to the app of an active connection. Undefined when it is known to tell of no changes. Absent: none does. */
  watch?(connection: ConnectionRow): AppWatch | undefined
  /** Revokes the authorisation where the service allows it, and deletes the tokens. Never throws. */
  disconnect(connection: ConnectionRow): Promise<void>
  /**
   * Another node changed this connection: what this process holds for it and is no longer good, such as an open session,
   * is let go. Never throws. Absent: it holds nothing.
   */
  release?(connection: ConnectionRow): Promise<void>
  /** Calls the listener when toolkits or actions changed at the service. The result unsubscribes it. */
  onChange(listener: (change: { readonly toolkit: string }) => void): () => void
  close(): Promise<void>
}

/** What a connector needs to start a sign-in. */
export interface SignIn {
  readonly state: string
  /** The address the service sends the person back to, matched exactly. */
  readonly redirectUri: string
}

/** What follows the start of a sign-in. */
export type SignInStep =
  | { readonly type: 'visit'; readonly url: string }
  | ({ readonly type: 'settled' } & ConnectionState)

/** The parameters of the callback, except for `state`, which was checked before. */
export interface SignInCallback {
  readonly params: URLSearchParams
  readonly redirectUri: string
}

/** The state of a connection at its service. */
export interface ConnectionState {
  readonly status: Exclude<ConnectionRow['status'], 'disconnected'>
  /** The name of the account, if the service has one. */
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
  /** What it may change. Unknown is `write`. */
  readonly effect: Effect
  /** What the effect rests on. Absent: the connector's own word, as for a toolkit in this process. */
  readonly because?: 'name' | 'claim'
  /** Of name, description and schema: it changes when the definition of the action changes. */
  readonly digest: string
  /** What its results carry, and which arguments name a destination; see `Tool`. Only our own code may say so. */
  readonly returns?: readonly DataLabel[]
  readonly destinations?: readonly string[]
}

/** What an action gets besides its arguments. */
export interface ActionCall {
  readonly signal: AbortSignal
  /** The same for a repeated attempt at the same call. */
  readonly idempotencyKey: string
  /** The call of an agent that it is made for, for telemetry. */
  readonly caller?: CallerOfAction
}

/** A call of an agent, by its run and its id. */
export type CallerOfAction = Pick<ToolContext, 'run' | 'callId'>
