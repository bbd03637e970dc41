import type { ConnectionRow, ConnectionStatus } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { ConnectionState } from '../../ports/connector.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { Clock } from '../../turn/clock.ts'
import type { Directory } from '../directory/directory.ts'
import { toFreeLabel } from './accounts.ts'
import { connectionChanged } from './connection-changed.ts'

const MAX_REASON_CHARS = 600
const MAX_LABEL_CHARS = 80

/** A new sign-in repairs a connection with one of these. */
export const LOST: readonly ConnectionStatus[] = ['expired', 'failed', 'revoked']

/** Whether a new sign-in can repair the connection. */
export const isLost = ({ status }: ConnectionRow): boolean => LOST.includes(status)

/** The state after an error of a connector. The error itself is not shown, because it may hold secrets. */
export const UNREACHABLE: ConnectionState = {
  status: 'failed',
  reason: 'The service could not be reached, or answered with something else than it should. Try again.',
  reasonCode: 'unavailable',
}

/** What is needed to change the status of a connection. */
export interface ConnectionStatusParts {
  readonly store: ConnectionStore
  readonly directory: Directory
  readonly publish: EventBus['publish']
  readonly clock: Clock
}

/**
 * Gives a connection the state that its service reports, if its status is still one of `from`. Answers with the row as
 * it is now, or undefined when another change was first. The directory and the bus learn of every change.
 */
export async function settleConnection(
  connection: ConnectionRow,
  { status, label, reason, reasonCode }: ConnectionState,
  from: readonly ConnectionStatus[],
  { store, directory, publish, clock }: ConnectionStatusParts,
): Promise<ConnectionRow | undefined> {
  const named = label === undefined ? connection.label : sanitizeLine(label, MAX_LABEL_CHARS)
  const changed = await store.change(
    connection.id,
    {
      // Two changes never share a time, because it identifies a sign-in.
      updatedAt: Math.max(clock.now(), connection.updatedAt + 1),
      status,
      reason: reason === undefined ? undefined : sanitizeLine(reason, MAX_REASON_CHARS),
      reasonCode: reasonCode ?? (status === 'expired' || status === 'revoked' ? status : undefined),
      label: status === 'active' ? await toUniqueLabel(connection, named, store) : named,
    },
    from,
  )
  if (changed) await connectionChanged(changed, { directory, publish })
  return changed
}

/** Takes an active connection away, unless it was signed in to after `seenAt`. */
export async function loseConnection(
  connectionId: string,
  state: ConnectionState,
  seenAt: number | undefined,
  parts: ConnectionStatusParts,
): Promise<void> {
  const connection = await parts.store.get(connectionId)
  if (connection && (seenAt ?? connection.updatedAt) === connection.updatedAt)
    await settleConnection(connection, state, ['active'], parts)
}

async function toUniqueLabel(
  { id, userId, toolkit }: ConnectionRow,
  label: string,
  store: ConnectionStore,
): Promise<string> {
  const others = (await store.list(userId)).filter(
    (other) => other.toolkit === toolkit && other.id !== id && (other.status === 'active' || other.label),
  )
  return toFreeLabel(label, others)
}
