import type { ConnectionReasonCode, ConnectionRow, ConnectionStatus, ScopeSettings } from '@capstan/protocol'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** Connections, sign-ins that are under way, and what the user allows in each toolkit. */
export interface ConnectionStore {
  /** The first of a toolkit becomes its default; see `change` for when another does. Throws a `StoreError` of kind `invalid` for an id that is taken. */
  create(connection: Omit<ConnectionRow, 'isDefault'>): MaybePromise<ConnectionRow>
  get(id: string): MaybePromise<ConnectionRow | undefined>
  /** Oldest first, those that were disconnected left out. */
  list(userId: string): MaybePromise<readonly ConnectionRow[]>
  /** Those of all users that wait for a sign-in. */
  pending(): MaybePromise<readonly ConnectionRow[]>
  /**
   * Changes it if its status is one of `from`, and answers with the row as it is now; undefined when it was not. The only
   * way a status changes, so that two who settle one sign-in do not both win. One that becomes active takes the place
   * of a default that is not; when the default is disconnected, the oldest active one takes it, or else the oldest.
   */
  change(
    id: string,
    change: ConnectionChange,
    from: readonly ConnectionStatus[],
  ): MaybePromise<ConnectionRow | undefined>
  /** Makes it the default of its toolkit. False when there is no such connection. */
  makeDefault(id: string): MaybePromise<boolean>
  /** Keeps a sign-in that was begun. One that was begun for the same connection before cannot be finished any more. */
  openFlow(flow: SignInFlow): MaybePromise<void>
  /** Takes it out: whoever comes second, or comes late, finds nothing. */
  takeFlow(stateHash: string, now: number): MaybePromise<SignInFlow | undefined>
  /** Read and write on, admin off, unless the user said otherwise. */
  scopes(userId: string, toolkit: string): MaybePromise<ScopeSettings>
  setScopes(userId: string, toolkit: string, scopes: ScopeSettings): MaybePromise<void>
  /** Digests of action definitions a person has seen in use, by action. */
  knownActions(connectionId: string): MaybePromise<ReadonlyMap<string, string>>
  rememberActions(connectionId: string, digests: ReadonlyMap<string, string>): MaybePromise<void>
  readonly vault: SecretVault
}

export type ConnectionChange = Pick<ConnectionRow, 'updatedAt'> &
  Partial<Pick<ConnectionRow, 'status' | 'label'>> & {
    /** `undefined` takes it away. */
    readonly reason?: string | undefined
    /** `undefined` takes it away. */
    readonly reasonCode?: ConnectionReasonCode | undefined
  }

/** A sign-in that was begun. The state itself is never stored: who holds it can finish it. */
export interface SignInFlow {
  readonly stateHash: string
  readonly connectionId: string
  readonly userId: string
  /** Hash of what the browser that began it holds. */
  readonly browserHash: string
  readonly redirectUri: string
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * What must never be seen: tokens, client secrets, code verifiers. Encrypted at rest with a key that is not in the
 * database, and bound to their connection, so that one cannot be passed off as another's.
 */
export interface SecretVault {
  /** Undefined when there is none. Throws a `StoreError` of kind `damaged` when it is not what was written. */
  read(connectionId: string): MaybePromise<Secret | undefined>
  write(connectionId: string, secret: Secret): MaybePromise<void>
  delete(connectionId: string): MaybePromise<void>
}

export type Secret = Readonly<Record<string, unknown>>
