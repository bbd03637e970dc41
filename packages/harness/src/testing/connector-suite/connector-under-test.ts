import type { ConnectionRow } from '@capstan/protocol'
import type { Connector } from '../../ports/connector.ts'
import type { SecretVault } from '../../ports/connection-store.ts'
import type { JsonObject } from '../../turn/json.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'

/** A call that the service behind the connector understands. */
export interface ExampleCall {
  readonly action: string
  readonly args: JsonObject
}

/**
 * A connector with its own service behind it, and functions that act for the person, the service and the network. Leave out
 * what the service cannot do: the tests that need it are skipped.
 */
export interface ConnectorUnderTest {
  readonly connector: Connector
  /** The toolkit that the suite connects. */
  readonly toolkit: string
  /** An action that only reads. Its output contains `says`. */
  readonly read: ExampleCall & { readonly says: string }
  readonly write: ExampleCall & { readonly says: string }
  /** How often the service ran the write action. */
  readonly written?: () => MaybePromise<number>
  /** Where the connector keeps tokens. */
  readonly vault?: SecretVault
  /** Where the service sends the person back to. Nothing listens there. */
  readonly redirectUri?: string
  /** What a person does before the sign-in starts, such as entering a key. */
  readonly prepare?: (connection: ConnectionRow) => MaybePromise<void>
  /** What a person does at the address. Answers with what the service sent back to the redirect URI. */
  readonly visit?: (url: string, answer: 'allow' | 'deny') => Promise<URLSearchParams>
  /** The service no longer accepts this connection. */
  readonly revoke?: (connection: ConnectionRow) => MaybePromise<void>
  /** The service changes the definition of the read action. */
  readonly changeAction?: () => MaybePromise<void>
  /** Whether the connector reports `changeAction` to its listeners. */
  readonly reportsChanges?: boolean
  /** The service fails every request until the result is called. */
  readonly makeUnavailable?: () => MaybePromise<() => MaybePromise<void>>
  /** Does not answer before it is aborted or the service is stopped. */
  readonly slow?: ExampleCall
  /** Actions that answer or fail with the token or key they were called with. */
  readonly echoes?: readonly ExampleCall[]
  /**
   * The service puts this text into names, descriptions and the output of the read action, as far as its protocol can
   * carry it.
   */
  readonly plant?: (text: string) => MaybePromise<void>
  /** Every secret that exists by now: tokens, keys, client secrets. */
  readonly secrets?: () => readonly string[]
  /** How many sockets, processes or streams of the connector are open. */
  readonly openHandles?: () => MaybePromise<number>
  /** Ends the service, after the connector was closed. */
  readonly stop?: () => MaybePromise<void>
}
