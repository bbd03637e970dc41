import { randomBytes } from 'node:crypto'
import type { ConnectionRow, ConnectionStatus, ScopeSettings, ToolkitRow } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { ConnectionState } from '../../ports/connector.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Locks } from '../../ports/locks.ts'
import type { Clock } from '../../turn/clock.ts'
import { quietClock } from '../../turn/clock.ts'
import type { ConnectorSet } from '../connector-set.ts'
import type { Directory } from '../directory/directory.ts'
import type { CanUse } from '../guard-connector.ts'
import type { OnCheckFailure } from './ask-service.ts'
import { createPendingCheck, findLive, refreshConnection } from './ask-service.ts'
import { connectionChanged } from './connection-changed.ts'
import { LOST, isLost, loseConnection, settleConnection } from './connection-status.ts'
import type { CallbackAnswer, SignInAnswer, SignInFlowParts, Visitor } from './sign-in-flow.ts'
import { beginSignIn, finishSignIn } from './sign-in-flow.ts'
import { createSignInPolling } from './poll-sign-ins.ts'
import { SIGN_IN_TIMEOUT_MS, createSignInTimeout } from './sign-in-timeout.ts'

/** The life of connections: begun, signed in, settled, expired, disconnected. Every change reaches the running turns. */
export interface Connections {
  list(userId: string): Promise<readonly ConnectionRow[]>
  /** Also one that was disconnected. */
  get(userId: string, connectionId: string): Promise<ConnectionRow | undefined>
  /**
   * A new connection that waits for a sign-in. With the id of an existing connection: that one, waiting again if its
   * sign-in was lost. Undefined when there is no such toolkit.
   */
  begin(userId: string, toolkit: string, id?: string): Promise<ConnectionRow | undefined>
  /** Sends the person to the service. May be asked again: only the newest link works. */
  signIn(connectionId: string, visitor: Visitor): Promise<SignInAnswer>
  /** The person came back from the service. */
  finish(params: URLSearchParams, visitor: Visitor): Promise<CallbackAnswer>
  /**
   * Asks the service for the state of a connection, for services that report it only when asked. The row of before when
   * the service cannot be asked.
   */
  refresh(connectionId: string): Promise<ConnectionRow | undefined>
  /** Asks the services once whether an app is connected although no active connection to it is known here. */
  findLive(userId: string, toolkit: Pick<ToolkitRow, 'slug' | 'connector'>): Promise<boolean>
  /**
   * A call found that the authorisation is no longer good. `seenAt` is the `updatedAt` of the connection the call was
   * made with: a connection that was signed in to since then is left alone.
   */
  expire(connectionId: string, reason: string, seenAt?: number): Promise<void>
  /** A call found that the program behind the connection does not start. `seenAt` as for `expire`. */
  markFailed(connectionId: string, reason: string, seenAt: number): Promise<void>
  /** False when there is no such connection. */
  disconnect(userId: string, connectionId: string): Promise<boolean>
  /**
   * Disconnects all users from an app that is removed, also those who may no longer use it, and forgets what they allowed
   * and chose there: another app may get its slug.
   */
  removeApp(connector: string, toolkit: string): Promise<void>
  /** Makes it the account that is used when a call names none. False when there is no such connection. */
  makeDefault(userId: string, connectionId: string): Promise<boolean>
  /** What the model may do in an app from now on, also in running turns. */
  setScopes(userId: string, toolkit: string, scopes: ScopeSettings): Promise<void>
  /** A sign-in was begun on another node: this one gives it up, too, when it takes too long. */
  begunElsewhere(): void
  /** This process no longer gives up sign-ins that take too long. */
  close(): void
}

/** Options for the connections of all users. */
export interface ConnectionsOptions {
  readonly connectors: Pick<ConnectorSet, 'get'>
  readonly store: ConnectionStore
  readonly directory: Directory
  readonly publish: EventBus['publish']
  readonly locks: Locks
  readonly signInTimeoutMs?: number
  readonly clock?: Clock
  /** A connection to an app that the user may not use answers like an unknown one. Default: all may be used. */
  readonly canUse?: CanUse
  /** Called when a service could not be asked for the state of a connection. */
  readonly onCheckFailure?: OnCheckFailure
}

const ABANDONED: ConnectionState = {
  status: 'failed',
  reason: 'Nobody has signed in.',
  reasonCode: 'abandoned',
}

/** As for an app that nobody has used. */
const DEFAULT_SCOPES: ScopeSettings = { read: true, write: true, admin: false }

/** Everything but disconnected. */
const PRESENT: readonly ConnectionStatus[] = ['pending', 'active', 'expired', 'failed', 'revoked']

/** The connections of all users, over a store and connectors. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { connectors, store, directory, publish, clock = quietClock, canUse = () => true } = options
  const timeout = createSignInTimeout({
    store,
    clock,
    timeoutMs: options.signInTimeoutMs ?? SIGN_IN_TIMEOUT_MS,
    giveUp: (connection) => settleConnection(connection, ABANDONED, ['pending'], parts),
  })
  const parts: SignInFlowParts = {
    store,
    directory,
    publish,
    clock,
    locks: options.locks,
    finishing: new Set(),
    onVisit: (connection) => polling.watch(connection),
    findConnector: (id) => connectors.get(id),
    async own(userId, id) {
      const connection = await store.get(id)
      return connection?.userId === userId && canUse(userId, connection.toolkit) ? connection : undefined
    },
    async reopen(connection) {
      const pending = await settleConnection(connection, { status: 'pending' }, LOST, parts)
      timeout.arm()
      if (pending) polling.watch(pending)
      return pending
    },
    async forget(connection) {
      // A connector that was removed has nothing to disconnect.
      await connectors.get(connection.connector)?.disconnect(connection)
      await store.vault.delete(connection.id)
    },
  }
  const { own, reopen, forget } = parts
  const isPending = createPendingCheck(parts, options.onCheckFailure)
  const polling = createSignInPolling({ store, clock, isPending })
  timeout.arm()

  async function disconnectRow(connection: ConnectionRow | undefined): Promise<boolean> {
    if (!connection) return false
    const updatedAt = clock.now()
    const gone = await store.change(connection.id, { updatedAt, status: 'disconnected' }, PRESENT)
    if (!gone) return false
    await forget(connection)
    await connectionChanged(gone, { directory, publish })
    return true
  }

  async function setScopes(userId: string, toolkit: string, scopes: ScopeSettings): Promise<void> {
    await store.setScopes(userId, toolkit, scopes)
    directory.invalidate(userId)
    await directory.warm(userId)
    publish({ type: 'scopes-changed', userId, toolkit, scopes })
  }

  return {
    list: async (userId) => (await store.list(userId)).filter(({ toolkit }) => canUse(userId, toolkit)),
    get: own,
    async begin(userId, toolkit, id = `connection_${randomBytes(12).toString('base64url')}`) {
      const known = await own(userId, id)
      if (known && !isLost(known)) return known
      if (known) return (await reopen(known)) ?? (await own(userId, id))
      const { toolkits } = await directory.read(userId)
      const listed = toolkits.find(({ slug }) => slug === toolkit)
      if (!listed) return undefined
      const at = clock.now()
      const { connector } = listed
      const row = { id, userId, connector, toolkit, label: '', createdAt: at, updatedAt: at }
      const connection = await store.create({ ...row, status: 'pending' })
      timeout.arm()
      polling.watch(connection)
      await connectionChanged(connection, { directory, publish })
      return connection
    },
    signIn: (connectionId, visitor) => beginSignIn(connectionId, visitor, parts),
    finish: (params, visitor) => finishSignIn(params, visitor, parts),
    refresh: (connectionId) => refreshConnection(connectionId, parts, options.onCheckFailure),
    findLive: (userId, toolkit) => findLive(userId, toolkit, parts, options.onCheckFailure),
    expire: (id, reason, seenAt) => loseConnection(id, { status: 'expired', reason }, seenAt, parts),
    markFailed: (id, reason, seenAt) => loseConnection(id, { status: 'failed', reason }, seenAt, parts),
    disconnect: async (userId, id) => disconnectRow(await own(userId, id)),
    removeApp: (connector, toolkit) =>
      removeApp(connector, toolkit, { store, disconnect: disconnectRow, setScopes }),
    async makeDefault(userId, connectionId) {
      if (!(await own(userId, connectionId)) || !(await store.makeDefault(connectionId))) return false
      const chosen = await own(userId, connectionId)
      if (chosen) await connectionChanged(chosen, { directory, publish })
      return true
    },
    setScopes,
    begunElsewhere: () => timeout.arm(),
    close() {
      timeout.close()
      polling.close()
    },
  }
}

async function removeApp(
  connector: string,
  toolkit: string,
  parts: Pick<ConnectionsOptions, 'store'> &
    Pick<Connections, 'setScopes'> & { readonly disconnect: (row: ConnectionRow) => Promise<boolean> },
): Promise<void> {
  const { store } = parts
  for (const userId of await store.users(toolkit)) {
    for (const row of await store.list(userId))
      if (row.toolkit === toolkit && row.connector === connector) await parts.disconnect(row)
    for (const action of (await store.actionEffects(userId, toolkit)).keys())
      await store.setActionEffect(userId, toolkit, action, undefined)
    await parts.setScopes(userId, toolkit, DEFAULT_SCOPES)
  }
}
