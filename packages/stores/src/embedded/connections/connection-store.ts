import { StoreError } from '@capstan/harness'
import type { ConnectionStore } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import { changeConnection, makeDefault } from '../../shared/connections/change-connection.ts'
import type { ChangedConnections } from '../../shared/connections/change-connection.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { ActionEffectRows } from './action-effect-rows.ts'
import type { KnownActionRows } from './known-action-rows.ts'
import type { ScopeRows } from './scope-rows.ts'
import { createSecretVault } from '../vault/secret-vault.ts'
import type { SecretVaultParts } from '../vault/secret-vault.ts'
import type { SignInFlowRows } from './sign-in-flow-rows.ts'

export interface ConnectionStoreParts extends SecretVaultParts {
  readonly flows: SignInFlowRows
  readonly scopes: ScopeRows
  readonly actionEffects: ActionEffectRows
  readonly knownActions: KnownActionRows
}

export function createConnectionStore(access: StoreAccess, parts: ConnectionStoreParts): ConnectionStore {
  const { connections, flows, scopes, actionEffects, knownActions, changed } = parts
  const { read } = access
  const write = <Value>(work: () => Value): Value => {
    const value = access.write(work)
    changed(0)
    return value
  }
  const peersOf = ({ userId, toolkit }: Pick<ConnectionRow, 'userId' | 'toolkit'>): ConnectionRow[] =>
    connections.list(userId).filter((row) => row.toolkit === toolkit.toWellFormed())
  const writeAll = ({ rows, answer }: ChangedConnections): ConnectionRow =>
    rows.map((row) => connections.update(row)).find(({ id }) => id === answer.id.toWellFormed())!

  return {
    create: (connection) =>
      write(() => {
        if (connections.get(connection.id)) {
          throw new StoreError('invalid', `There is a connection ${connection.id} already.`)
        }
        const isDefault =
          connection.status !== 'disconnected' && !peersOf(connection).some((row) => row.isDefault)
        return connections.insert({ ...connection, isDefault })
      }),
    get: (id) => read(() => connections.get(id)),
    list: (userId) => read(() => connections.list(userId)),
    users: (toolkit) => read(() => connections.users(toolkit)),
    pending: () => read(() => connections.pending()),
    change: (id, change, from) =>
      write(() => {
        const row = connections.get(id)
        if (!row || !from.includes(row.status)) return undefined
        return writeAll(changeConnection(row, change, peersOf(row)))
      }),
    makeDefault: (id) =>
      write(() => {
        const row = connections.get(id)
        if (!row || row.status === 'disconnected') return false
        writeAll(makeDefault(row, peersOf(row)))
        return true
      }),
    openFlow: (flow) =>
      write(() => {
        if (flows.get(flow.stateHash)) throw new StoreError('invalid', 'This sign-in was started already.')
        flows.purge(flow.createdAt, flow.connectionId)
        flows.insert(flow)
      }),
    takeFlow: (stateHash, now) =>
      write(() => {
        const flow = flows.get(stateHash)
        flows.delete(stateHash)
        return flow && now < flow.expiresAt ? flow : undefined
      }),
    scopes: (userId, toolkit) =>
      read(() => scopes.get(userId, toolkit) ?? { read: true, write: true, admin: false }),
    setScopes: (userId, toolkit, settings) => write(() => scopes.put(userId, toolkit, settings)),
    actionEffects: (userId, toolkit) => read(() => actionEffects.list(userId, toolkit)),
    setActionEffect: (userId, toolkit, action, chosen) =>
      write(() => {
        if (chosen) actionEffects.put(userId, toolkit, action, chosen)
        else actionEffects.delete(userId, toolkit, action)
      }),
    knownActions: (connectionId) => read(() => knownActions.list(connectionId)),
    rememberActions: (connectionId, digests) =>
      write(() => {
        for (const [action, digest] of digests) knownActions.put(connectionId, action, digest)
      }),
    vault: createSecretVault(access, parts),
  }
}
