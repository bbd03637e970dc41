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
 * A connector with a service of its own behind it, and the hands of those around it: the person, the service, the
 * network. What a backend cannot do it leaves out, and the tests that need it are skipped.
 */
export interface ConnectorUnderTest {
  readonly connector: Connector
  /** The toolkit that the suite connects. */
  readonly toolkit: string
  /** Only reads; its output has `says` in it. */
  readonly read: ExampleCall & { readonly says: string }
  readonly write: ExampleCall & { readonly says: string }
  /** How often the write action was done at the service. */
  readonly written?: () => MaybePromise<number>
  /** Where the connector keeps tokens. */
  readonly vault?: SecretVault
  /** Where the service sends people back to. Nobody listens there. */
  readonly redirectUri?: string
  /** What a person does before the sign-in begins, such as giving a key. */
  readonly prepare?: (connection: ConnectionRow) => MaybePromise<void>
  /** What a person does at the address. Answers with what the service sent back to the redirect URI. */
  readonly visit?: (url: string, answer: 'allow' | 'deny') => Promise<URLSearchParams>
  /** The service no longer accepts this connection. */
  readonly revoke?: (connection: ConnectionRow) => MaybePromise<void>
  /** The service rewrites what the read action claims to be. */
  readonly changeAction?: () => MaybePromise<void>
  /** Whether the connector hears of `changeAction` by itself. */
  readonly hears?: boolean
  /** The service fails every request until the result is called. */
  readonly makeUnavailable?: () => MaybePromise<() => MaybePromise<void>>
  /** Does not answer before it is aborted or the service is stopped. */
  readonly slow?: ExampleCall
  /** Answers, or fails, with the very token or key that it was called with. */
  readonly echoes?: readonly ExampleCall[]
  /**
   * The service fills names, descriptions and what the read action says with this text, as far as its protocol can
   * carry it.
   */
  readonly plant?: (text: string) => MaybePromise<void>
  /** Every secret there is by now: tokens, keys, client secrets. */
  readonly secrets?: () => readonly string[]
  /** How many sockets, processes or streams of the connector's are open. */
  readonly openHandles?: () => MaybePromise<number>
  /** Ends the service, after the connector was closed. */
  readonly stop?: () => MaybePromise<void>
}
