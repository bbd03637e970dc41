import type { ConnectionChange } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'

/** Rows to write, in this order, so that a toolkit never has two defaults. The first one given is the one asked for. */
export interface ChangedConnections {
  readonly rows: readonly ConnectionRow[]
  readonly answer: ConnectionRow
}

/**
 * What a change does to a connection and to the default of its toolkit; see `ConnectionStore.change`. `peers` are the
 * connections of the same user and toolkit that are not disconnected, oldest first; the row itself may be among them.
 */
export function changeConnection(
  row: ConnectionRow,
  change: ConnectionChange,
  peers: readonly ConnectionRow[],
): ChangedConnections {
  const changed = { ...row, ...change } as ConnectionRow
  const others = peers.filter(({ id }) => id !== row.id)
  if (changed.status === 'disconnected') {
    const gone = { ...changed, isDefault: false }
    // A toolkit always has a default, for calls that name no connection.
    const successor = row.isDefault ? (others.find(isActive) ?? others[0]) : undefined
    return { rows: successor ? [gone, { ...successor, isDefault: true }] : [gone], answer: gone }
  }
  const becameActive = isActive(changed) && !isActive(row)
  const hasDefault = [changed, ...others].some((peer) => peer.isDefault && isActive(peer))
  return becameActive && !hasDefault ? makeDefault(changed, others) : { rows: [changed], answer: changed }
}

/** Makes a connection the default of its toolkit. First the old default is written: an index allows only one. */
export function makeDefault(row: ConnectionRow, peers: readonly ConnectionRow[]): ChangedConnections {
  const replaced = peers.filter(({ id, isDefault }) => isDefault && id !== row.id)
  const answer = { ...row, isDefault: true }
  return { rows: [...replaced.map((peer) => ({ ...peer, isDefault: false })), answer], answer }
}

const isActive = ({ status }: ConnectionRow): boolean => status === 'active'
