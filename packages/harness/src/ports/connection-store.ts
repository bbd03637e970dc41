import type { ConnectionReasonCode, ConnectionRow, ConnectionStatus, ScopeSettings } from '@capstan/protocol'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { Effect } from '../turn/tool/tool.ts'

/** Connections, sign-ins that are under way, and what the user allows in each toolkit. */
export interface ConnectionStore {
  /**
   * The first of a toolkit becomes its default; see `change` for when another does. Throws a `StoreError` of kind
   * `invalid` for an id that is taken.
   */
  create(connection: Omit<ConnectionRow, 'isDefault'>): MaybePromise<ConnectionRow>
  get(id: string): MaybePromise<ConnectionRow | undefined>
  /** Oldest first, those that were disconnected left out. */
  list(userId: string): MaybePromise<readonly ConnectionRow[]>
  /**
   * The users for whom anything of a toolkit is stored: a connection, also a disconnected one, scopes or chosen
   * effects.
   */
  users(toolkit: string): MaybePromise<readonly string[]>
  /** Those of all users that wait for a sign-in. */
  pending(): MaybePromise<readonly ConnectionRow[]>
  /**
   * Changes it if its status is one of `from`, and answers with the row as it is now; undefined when it was not. The
   * only way a status changes, so that of two callers that settle one sign-in only one wins. One that becomes active
   * takes the place of a default that is not; when the default is disconnected, the oldest active one takes it, or else
   * the oldest.
   */
  change(
    id: string,
    change: ConnectionChange,
    from: readonly ConnectionStatus[],
  ): MaybePromise<ConnectionRow | undefined>
  /** Makes it the default of its toolkit. False when there is no such connection. */
  makeDefault(id: string): MaybePromise<boolean>
  /** Stores a sign-in that started. An earlier one for the same connection can no longer be finished. */
  openFlow(flow: SignInFlow): MaybePromise<void>
  /** Removes the sign-in and answers with it. A second caller, or a late one, finds nothing. */
  takeFlow(stateHash: string, now: number): MaybePromise<SignInFlow | undefined>
  /** Read and write on, admin off, unless the user changed it. */
  scopes(userId: string, toolkit: string): MaybePromise<ScopeSettings>
  setScopes(userId: string, toolkit: string, scopes: ScopeSettings): MaybePromise<void>
  /** What the user set for actions of a toolkit, by action. A choice that was changed outside of the store is `admin`. */
  actionEffects(userId: string, toolkit: string): MaybePromise<ReadonlyMap<string, ChosenEffect>>
  /** `undefined` removes the choice. */
  setActionEffect(
    userId: string,
    toolkit: string,
    action: string,
    chosen: ChosenEffect | undefined,
  ): MaybePromise<void>
  /** Digests of action definitions a person has seen in use, by action. */
  knownActions(connectionId: string): MaybePromise<ReadonlyMap<string, string>>
  rememberActions(connectionId: string, digests: ReadonlyMap<string, string>): MaybePromise<void>
  readonly vault: SecretVault
}

/** The effect that the user chose for an action, and the digest of the definition they chose it for. */
export interface ChosenEffect {
  readonly effect: Effect
  readonly digest: string
}

/** What can change in a connection. */
export type ConnectionChange = Pick<ConnectionRow, 'updatedAt'> &
  Partial<Pick<ConnectionRow, 'status' | 'label'>> & {
    /** `undefined` removes it. */
    readonly reason?: string | undefined
    /** `undefined` takes it away. */
    readonly reasonCode?: ConnectionReasonCode | undefined
  }

/** A sign-in that started. Only a hash of the state is stored: anyone with the state could finish the sign-in. */
export interface SignInFlow {
  readonly stateHash: string
  readonly connectionId: string
  readonly userId: string
  /** Hash of the secret that the browser holds which started it. */
  readonly browserHash: string
  readonly redirectUri: string
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * Tokens, client secrets and code verifiers. Encrypted at rest with a key that is not in the database, and bound to
 * their connection, so that the secret of one connection cannot be used for another.
 */
export interface SecretVault {
  /** Undefined when there is none. Throws a `StoreError` of kind `damaged` when it was changed outside of the store. */
  read(connectionId: string): MaybePromise<Secret | undefined>
  write(connectionId: string, secret: Secret): MaybePromise<void>
  delete(connectionId: string): MaybePromise<void>
}

/** What a connector keeps for one connection, as JSON. */
export type Secret = Readonly<Record<string, unknown>>
