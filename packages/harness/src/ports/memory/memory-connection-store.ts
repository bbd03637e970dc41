import type { ConnectionRow, ScopeSettings } from '@capstan/protocol'
import { StoreError } from '../../turn/errors.ts'
import type { ChosenEffect, ConnectionStore, Secret, SecretVault, SignInFlow } from '../connection-store.ts'

/** Connections that live as long as the process. Secrets are never at rest, and so they are not encrypted. */
export function createMemoryConnectionStore(): ConnectionStore {
  // In the order of creation. Rows are replaced, never changed: what was handed out stays as it was.
  const rows = new Map<string, ConnectionRow>()
  const flows = new Map<string, SignInFlow>()
  const scopes = new Map<string, ScopeSettings>()
  const chosenEffects = new Map<string, Map<string, ChosenEffect>>()
  const known = new Map<string, ReadonlyMap<string, string>>()

  const peersOf = ({ userId, toolkit }: Pick<ConnectionRow, 'userId' | 'toolkit'>) =>
    oldestFirst(
      [...rows.values()].filter(
        (row) => row.userId === userId && row.toolkit === toolkit && row.status !== 'disconnected',
      ),
    )
  const put = (row: ConnectionRow): ConnectionRow => {
    rows.set(row.id, Object.freeze(row))
    return row
  }

  const setDefault = (row: ConnectionRow): void => {
    for (const peer of peersOf(row)) put({ ...peer, isDefault: peer.id === row.id })
  }

  return {
    create(connection) {
      if (rows.has(connection.id)) {
        throw new StoreError('invalid', `there is a connection ${connection.id} already`)
      }
      const isDefault =
        connection.status !== 'disconnected' && !peersOf(connection).some((row) => row.isDefault)
      return put({ ...connection, isDefault })
    },
    get: (id) => rows.get(id),
    list: (userId) =>
      oldestFirst([...rows.values()].filter((row) => row.userId === userId && row.status !== 'disconnected')),
    users(toolkit) {
      const connected = [...rows.values()].map((row) => keyOf(row.userId, row.toolkit))
      return usersIn([...connected, ...scopes.keys(), ...chosenEffects.keys()], toolkit)
    },
    pending: () => [...rows.values()].filter(({ status }) => status === 'pending'),
    change(id, change, from) {
      const row = rows.get(id)
      if (!row || !from.includes(row.status)) return undefined
      const { reason, reasonCode, ...rest } = { ...row, ...change }
      const changed = {
        ...rest,
        ...(reason !== undefined && { reason }),
        ...(reasonCode !== undefined && { reasonCode }),
      }
      if (changed.status === 'disconnected') {
        const gone = put({ ...changed, isDefault: false })
        // A toolkit always has a default, for calls that name no connection.
        const peers = peersOf(row)
        const successor = row.isDefault ? (peers.find(isActive) ?? peers[0]) : undefined
        if (successor) put({ ...successor, isDefault: true })
        return gone
      }
      put(changed)
      const becameActive = isActive(changed) && !isActive(row)
      if (becameActive && !peersOf(row).some((peer) => peer.isDefault && isActive(peer))) setDefault(changed)
      return rows.get(id)
    },
    makeDefault(id) {
      const row = rows.get(id)
      if (!row || row.status === 'disconnected') return false
      setDefault(row)
      return true
    },
    openFlow(flow) {
      if (flows.has(flow.stateHash)) throw new StoreError('invalid', 'this sign-in was started already')
      for (const [stateHash, { expiresAt, connectionId }] of flows) {
        if (expiresAt <= flow.createdAt || connectionId === flow.connectionId) flows.delete(stateHash)
      }
      flows.set(flow.stateHash, Object.freeze({ ...flow }))
    },
    takeFlow(stateHash, now) {
      const flow = flows.get(stateHash)
      flows.delete(stateHash)
      return flow && now < flow.expiresAt ? flow : undefined
    },
    scopes: (userId, toolkit) =>
      scopes.get(keyOf(userId, toolkit)) ?? { read: true, write: true, admin: false },
    setScopes(userId, toolkit, { read, write, admin }) {
      scopes.set(keyOf(userId, toolkit), Object.freeze({ read, write, admin }))
    },
    actionEffects: (userId, toolkit) => new Map(chosenEffects.get(keyOf(userId, toolkit))),
    setActionEffect(userId, toolkit, action, chosen) {
      const key = keyOf(userId, toolkit)
      const ofToolkit = chosenEffects.get(key) ?? new Map<string, ChosenEffect>()
      chosenEffects.set(key, ofToolkit)
      if (chosen) ofToolkit.set(action, Object.freeze({ ...chosen }))
      else ofToolkit.delete(action)
    },
    knownActions: (connectionId) => new Map(known.get(connectionId)),
    rememberActions(connectionId, digests) {
      known.set(connectionId, new Map([...(known.get(connectionId) ?? []), ...digests]))
    },
    vault: createMemoryVault(),
  }
}

const isActive = ({ status }: ConnectionRow): boolean => status === 'active'

const keyOf = (userId: string, toolkit: string): string => JSON.stringify([userId, toolkit])

function usersIn(keys: readonly string[], toolkit: string): readonly string[] {
  const pairs = keys.map((key) => JSON.parse(key) as [userId: string, toolkit: string])
  return [...new Set(pairs.flatMap(([userId, other]) => (other === toolkit ? [userId] : [])))].toSorted()
}

const oldestFirst = (rows: readonly ConnectionRow[]): ConnectionRow[] =>
  rows.toSorted((a, b) => a.createdAt - b.createdAt)

// Kept as JSON, as every other vault keeps it: no caller holds a reference into it.
function createMemoryVault(): SecretVault {
  const secrets = new Map<string, string>()
  return {
    read(connectionId) {
      const json = secrets.get(connectionId)
      return json === undefined ? undefined : (JSON.parse(json) as Secret)
    },
    write(connectionId, secret) {
      secrets.set(connectionId, JSON.stringify(secret))
    },
    delete(connectionId) {
      secrets.delete(connectionId)
    },
  }
}
