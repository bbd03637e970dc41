import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ConnectionRow, ConnectionStatus, ScopeSettings } from '@capstan/protocol'
import type { ConnectionStore, SignInFlow } from '../../ports/connection-store.ts'
import type { ConnectionState, Connector } from '../../ports/connector.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Clock } from '../../turn/clock.ts'
import { quietClock } from '../../turn/clock.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import { toFreeLabel } from './accounts.ts'
import { connectionChanged } from './connection-changed.ts'
import type { ConnectorSet } from '../connector-set.ts'
import type { Directory } from '../directory/directory.ts'
import { createSignInLapse, SIGN_IN_TIMEOUT_MS } from './sign-in-timeout.ts'

/** A state, and the code it brings, are good for ten minutes. */
const FLOW_LIFE_MS = 600_000

/** Who is signing in, and from where. */
export interface Visitor {
  readonly userId: string
  /** What only the browser that begins and ends it holds, such as a cookie. */
  readonly browserId: string
  /** Where the service sends the person back to. */
  readonly redirectUri: string
}

export type SignInAnswer =
  | { readonly type: 'visit'; readonly url: string }
  | { readonly type: 'settled'; readonly connection: ConnectionRow }
  /** There is no such connection, or it needs no sign-in now. */
  | { readonly type: 'refused'; readonly reason: string }

export type CallbackAnswer =
  | { readonly type: 'settled'; readonly connection: ConnectionRow }
  /** Nothing was changed. The same words whatever was wrong, so that nobody learns which guess was close. */
  | { readonly type: 'refused' }

/** The life of connections: begun, signed in, settled, expired, given back. Every change reaches the running turns. */
export interface Connections {
  list(userId: string): Promise<readonly ConnectionRow[]>
  /** Also one that was disconnected. */
  get(userId: string, connectionId: string): Promise<ConnectionRow | undefined>
  /** A new one that waits for a sign-in. With an id that is there already that one, waiting again if it was lost. */
  begin(userId: string, toolkit: string, id?: string): Promise<ConnectionRow | undefined>
  /** Sends the person to the service. May be asked again: only the newest link works. */
  signIn(connectionId: string, visitor: Visitor): Promise<SignInAnswer>
  /** The person has come back. */
  finish(params: URLSearchParams, visitor: Visitor): Promise<CallbackAnswer>
  /** Asks the service how a connection stands, for services that say so only when asked. */
  refresh(connectionId: string): Promise<ConnectionRow | undefined>
  /**
   * A call found out that the authorisation is not good any more. `seenAt` is the `updatedAt` of the connection it was
   * made with: one that somebody signed in to since is left alone.
   */
  expire(connectionId: string, reason: string, seenAt?: number): Promise<void>
  disconnect(userId: string, connectionId: string): Promise<boolean>
  /** The one that is used from now on when nobody says which. False when there is no such connection. */
  makeDefault(userId: string, connectionId: string): Promise<boolean>
  /** What the model may do in an app from now on, also where it is at work. */
  setScopes(userId: string, toolkit: string, scopes: ScopeSettings): Promise<void>
  /** Sign-ins are not given up any more by this process. */
  close(): void
}

export function createConnections(options: {
  readonly connectors: Pick<ConnectorSet, 'get'>
  readonly store: ConnectionStore
  readonly directory: Directory
  readonly publish: EventBus['publish']
  readonly signInTimeoutMs?: number
  readonly clock?: Clock
}): Connections {
  const { store, directory, publish, clock = quietClock } = options

  const connectorOf = ({ connector }: ConnectionRow): Connector => {
    const found = options.connectors.get(connector)
    if (!found) throw new Error(`no connector "${connector}" is set up`)
    return found
  }

  async function own(userId: string, id: string): Promise<ConnectionRow | undefined> {
    const connection = await store.get(id)
    return connection?.userId === userId ? connection : undefined
  }

  async function settle(
    connection: ConnectionRow,
    { status, label, reason, reasonCode }: ConnectionState,
    from: readonly ConnectionStatus[],
  ): Promise<ConnectionRow | undefined> {
    const named = label === undefined ? connection.label : sanitizeLine(label, 80)
    const changed = await store.change(
      connection.id,
      {
        // Two changes never share a time: it tells one sign-in from the next.
        updatedAt: Math.max(clock.now(), connection.updatedAt + 1),
        status,
        reason: reason === undefined ? undefined : sanitizeLine(reason, 240),
        reasonCode: reasonCode ?? (status === 'expired' || status === 'revoked' ? status : undefined),
        label: status === 'active' ? await freeLabel(connection, named) : named,
      },
      from,
    )
    if (changed) await connectionChanged(changed, { directory, publish })
    return changed
  }

  async function freeLabel({ id, userId, toolkit }: ConnectionRow, label: string): Promise<string> {
    const others = (await store.list(userId)).filter(
      (other) => other.toolkit === toolkit && other.id !== id && (other.status === 'active' || other.label),
    )
    return toFreeLabel(label, others)
  }

  const lapse = createSignInLapse({
    store,
    clock,
    timeoutMs: options.signInTimeoutMs ?? SIGN_IN_TIMEOUT_MS,
    giveUp: (connection) => settle(connection, NOBODY_CAME, ['pending']),
  })
  lapse.arm()

  /** It was given up while the service was asked: what came back must not stay. */
  async function forgetIfGone({ id }: ConnectionRow): Promise<boolean> {
    const connection = await store.get(id)
    if (connection?.status !== 'disconnected') return false
    await forget(connection)
    return true
  }

  async function forget(connection: ConnectionRow): Promise<void> {
    // One that was taken away has nobody left to tell.
    await options.connectors.get(connection.connector)?.disconnect(connection)
    await store.vault.delete(connection.id)
  }

  async function reopen(connection: ConnectionRow): Promise<ConnectionRow | undefined> {
    const pending = await settle(connection, { status: 'pending' }, LOST)
    lapse.arm()
    return pending
  }

  async function finish(params: URLSearchParams, visitor: Visitor): Promise<CallbackAnswer> {
    const state = params.get('state')
    const flow = state ? await store.takeFlow(hashOf(state), clock.now()) : undefined
    if (!flow || !isFrom(flow, visitor)) return { type: 'refused' }
    const connection = await own(flow.userId, flow.connectionId)
    if (connection?.status !== 'pending') return { type: 'refused' }
    const rest = new URLSearchParams(params)
    rest.delete('state')
    const { redirectUri } = visitor
    const result = await stateOr(() =>
      connectorOf(connection).finishSignIn(connection, { params: rest, redirectUri }),
    )
    const settled = await settle(connection, result, ['pending'])
    if (settled) return { type: 'settled', connection: settled }
    await forgetIfGone(connection)
    return { type: 'refused' }
  }

  return {
    list: async (userId) => store.list(userId),
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
      lapse.arm()
      await connectionChanged(connection, { directory, publish })
      return connection
    },
    async signIn(connectionId, visitor) {
      const connection = await own(visitor.userId, connectionId)
      if (!connection || connection.status === 'disconnected')
        return { type: 'refused', reason: 'There is no such connection.' }
      if (connection.status === 'active') return { type: 'settled', connection }
      // Whoever is at it has the whole time again.
      const begun =
        connection.status === 'pending'
          ? await store.change(connectionId, { updatedAt: clock.now() }, ['pending'])
          : await reopen(connection)
      if (!begun) return { type: 'refused', reason: 'Somebody else is signing in right now.' }
      const state = randomBytes(32).toString('base64url')
      const at = clock.now()
      await store.openFlow({
        stateHash: hashOf(state),
        connectionId,
        userId: visitor.userId,
        browserHash: hashOf(visitor.browserId),
        redirectUri: visitor.redirectUri,
        createdAt: at,
        expiresAt: at + FLOW_LIFE_MS,
      })
      const { redirectUri } = visitor
      let step
      try {
        step = await connectorOf(begun).beginSignIn(begun, { state, redirectUri })
      } catch {
        step = { type: 'settled' as const, ...UNREACHABLE }
      }
      if (step.type === 'visit') {
        const gone = await forgetIfGone(begun)
        return gone ? { type: 'refused', reason: 'There is no such connection.' } : step
      }
      const settled = await settle(begun, step, ['pending'])
      return settled
        ? { type: 'settled', connection: settled }
        : { type: 'refused', reason: 'It was settled elsewhere.' }
    },
    finish,
    async refresh(connectionId) {
      const connection = await store.get(connectionId)
      if (!connection || connection.status === 'disconnected') return undefined
      const state = await connectorOf(connection).check(connection)
      if (state.status === connection.status) return connection
      return (await settle(connection, state, [connection.status])) ?? (await store.get(connectionId))
    },
    async expire(connectionId, reason, seenAt) {
      const connection = await store.get(connectionId)
      if (connection && (seenAt ?? connection.updatedAt) === connection.updatedAt)
        await settle(connection, { status: 'expired', reason }, ['active'])
    },
    async disconnect(userId, connectionId) {
      const connection = await own(userId, connectionId)
      if (!connection) return false
      const change = { updatedAt: clock.now(), status: 'disconnected' as const }
      const from: ConnectionStatus[] = ['pending', 'active', 'expired', 'failed', 'revoked']
      const gone = await store.change(connectionId, change, from)
      if (!gone) return false
      await forget(connection)
      await connectionChanged(gone, { directory, publish })
      return true
    },
    async makeDefault(userId, connectionId) {
      if (!(await own(userId, connectionId)) || !(await store.makeDefault(connectionId))) return false
      const chosen = await own(userId, connectionId)
      if (chosen) await connectionChanged(chosen, { directory, publish })
      return true
    },
    async setScopes(userId, toolkit, scopes) {
      await store.setScopes(userId, toolkit, scopes)
      directory.invalidate(userId)
      await directory.warm(userId)
      publish({ type: 'scopes-changed', userId, toolkit, scopes })
    },
    close: () => lapse.close(),
  }
}

/** A new sign-in mends it. */
const LOST: readonly ConnectionStatus[] = ['expired', 'failed', 'revoked']

export const isLost = ({ status }: ConnectionRow): boolean => LOST.includes(status)

const NOBODY_CAME: ConnectionState = {
  status: 'failed',
  reason: 'Nobody has signed in.',
  reasonCode: 'abandoned',
}

/** What a connector cannot say for itself. Its own words may hold what nobody should read. */
const UNREACHABLE: ConnectionState = {
  status: 'failed',
  reason: 'The service could not be reached, or answered with something else than it should. Try again.',
  reasonCode: 'unavailable',
}

async function stateOr(ask: () => Promise<ConnectionState>): Promise<ConnectionState> {
  try {
    return await ask()
  } catch {
    return UNREACHABLE
  }
}

const hashOf = (text: string): string => hash('sha256', text)

function isFrom(flow: SignInFlow, { userId, browserId, redirectUri }: Visitor): boolean {
  const isBrowser = timingSafeEqual(Buffer.from(flow.browserHash), Buffer.from(hashOf(browserId)))
  return isBrowser && flow.userId === userId && flow.redirectUri === redirectUri
}
