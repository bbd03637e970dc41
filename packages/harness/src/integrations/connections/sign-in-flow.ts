import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ConnectionRow } from '@capstan/protocol'
import type { SignInFlow } from '../../ports/connection-store.ts'
import type { ConnectionState, Connector, SignInStep } from '../../ports/connector.ts'
import type { Locks } from '../../ports/locks.ts'
import type { ConnectionStatusParts } from './connection-status.ts'
import { UNREACHABLE, settleConnection } from './connection-status.ts'

/** A state, and the code that comes back with it, are good for ten minutes. */
const FLOW_LIFE_MS = 600_000

/** Who is signing in, and from where. */
export interface Visitor {
  readonly userId: string
  /** What only the browser that begins and ends it holds, such as a cookie. */
  readonly browserId: string
  /** Where the service sends the person back to. */
  readonly redirectUri: string
}

/** What follows the start of a sign-in. */
export type SignInAnswer =
  | { readonly type: 'visit'; readonly url: string }
  | { readonly type: 'settled'; readonly connection: ConnectionRow }
  /** There is no such connection, or it needs no sign-in now. */
  | { readonly type: 'refused'; readonly reason: string }

/** What follows the return of the person. */
export type CallbackAnswer =
  | { readonly type: 'settled'; readonly connection: ConnectionRow }
  /** Nothing was changed. The answer is the same whatever was wrong, so that a guess teaches nothing. */
  | { readonly type: 'refused' }

/** What a sign-in needs. */
export interface SignInFlowParts extends ConnectionStatusParts {
  readonly locks: Locks
  readonly findConnector: (id: string) => Connector | undefined
  /** The connection, if it belongs to this user. */
  readonly own: (userId: string, connectionId: string) => Promise<ConnectionRow | undefined>
  /** Makes a lost connection wait for a sign-in again. */
  readonly reopen: (connection: ConnectionRow) => Promise<ConnectionRow | undefined>
  /** Connections whose callback is being handled: nobody else asks their service meanwhile. */
  readonly finishing: Set<string>
  /** The person was sent to the service. */
  readonly onVisit: (connection: ConnectionRow) => void
  /** Deletes what the service and the vault hold of it. */
  readonly forget: (connection: ConnectionRow) => Promise<void>
}

/** Throws when the connector of the connection is not set up. */
export function connectorOf({ connector }: ConnectionRow, parts: SignInFlowParts): Connector {
  const found = parts.findConnector(connector)
  if (!found) throw new Error(`no connector "${connector}" is set up`)
  return found
}

const NO_CONNECTION: SignInAnswer = { type: 'refused', reason: 'There is no such connection.' }

/** Sends a person to the service. Only the newest link works. */
export async function beginSignIn(
  connectionId: string,
  visitor: Visitor,
  parts: SignInFlowParts,
): Promise<SignInAnswer> {
  const { store, clock } = parts
  const connection = await parts.own(visitor.userId, connectionId)
  if (!connection || connection.status === 'disconnected') return NO_CONNECTION
  if (connection.status === 'active') return { type: 'settled', connection }
  const begun =
    connection.status === 'pending'
      ? await store.change(connectionId, { updatedAt: clock.now() }, ['pending']) // the whole time again
      : await parts.reopen(connection)
  if (!begun) return { type: 'refused', reason: 'Somebody else is signing in right now.' }
  const state = await openFlow(connectionId, visitor, parts)
  const step = await stepOr(() =>
    connectorOf(begun, parts).beginSignIn(begun, { state, redirectUri: visitor.redirectUri }),
  )
  if (step.type === 'visit') {
    parts.onVisit(begun)
    return (await forgetIfGone(begun, parts)) ? NO_CONNECTION : step
  }
  const settled = await settleConnection(begun, step, ['pending'], parts)
  return settled
    ? { type: 'settled', connection: settled }
    : { type: 'refused', reason: 'It was settled elsewhere.' }
}

/** The person came back from the service. Each state is accepted once, from the browser that began it. */
export async function finishSignIn(
  params: URLSearchParams,
  visitor: Visitor,
  parts: SignInFlowParts,
): Promise<CallbackAnswer> {
  const state = params.get('state')
  const flow = state ? await parts.store.takeFlow(hashOf(state), parts.clock.now()) : undefined
  if (!flow || !isFrom(flow, visitor)) return { type: 'refused' }
  const connection = await parts.own(flow.userId, flow.connectionId)
  // The service was asked before the person came back.
  if (connection?.status === 'active') return { type: 'settled', connection }
  if (connection?.status !== 'pending') return { type: 'refused' }
  parts.finishing.add(connection.id)
  try {
    return await settleCallback(connection, params, visitor, parts)
  } finally {
    parts.finishing.delete(connection.id)
  }
}

async function settleCallback(
  connection: ConnectionRow,
  params: URLSearchParams,
  visitor: Visitor,
  parts: SignInFlowParts,
): Promise<CallbackAnswer> {
  const rest = new URLSearchParams(params)
  rest.delete('state')
  const callback = { params: rest, redirectUri: visitor.redirectUri }
  const result = await stateOr(() => connectorOf(connection, parts).finishSignIn(connection, callback))
  const settled = await settleConnection(connection, result, ['pending'], parts)
  if (settled) return { type: 'settled', connection: settled }
  await forgetIfGone(connection, parts)
  const now = await parts.own(connection.userId, connection.id)
  if (now?.status !== 'active') return { type: 'refused' }
  // Another node has asked the service meanwhile. Only the callback knows the name of the account.
  const isNamed = result.status === 'active' && result.label !== undefined
  const named = isNamed ? await settleConnection(now, result, ['active'], parts) : undefined
  return { type: 'settled', connection: named ?? now }
}

async function openFlow(
  connectionId: string,
  { userId, browserId, redirectUri }: Visitor,
  { store, clock }: SignInFlowParts,
): Promise<string> {
  const state = randomBytes(32).toString('base64url')
  const createdAt = clock.now()
  await store.openFlow({
    stateHash: hashOf(state),
    connectionId,
    userId,
    browserHash: hashOf(browserId),
    redirectUri,
    createdAt,
    expiresAt: createdAt + FLOW_LIFE_MS,
  })
  return state
}

/** It was disconnected while the service was asked: what came back must not stay. */
async function forgetIfGone({ id }: ConnectionRow, { store, forget }: SignInFlowParts): Promise<boolean> {
  const connection = await store.get(id)
  if (connection?.status !== 'disconnected') return false
  await forget(connection)
  return true
}

async function stepOr(begin: () => Promise<SignInStep>): Promise<SignInStep> {
  try {
    return await begin()
  } catch {
    return { type: 'settled', ...UNREACHABLE }
  }
}

async function stateOr(finish: () => Promise<ConnectionState>): Promise<ConnectionState> {
  try {
    return await finish()
  } catch {
    return UNREACHABLE
  }
}

const hashOf = (text: string): string => hash('sha256', text)

function isFrom(flow: SignInFlow, { userId, browserId, redirectUri }: Visitor): boolean {
  const isBrowser = timingSafeEqual(Buffer.from(flow.browserHash), Buffer.from(hashOf(browserId)))
  return isBrowser && flow.userId === userId && flow.redirectUri === redirectUri
}
