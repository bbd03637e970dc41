import type { Connector } from '@capstan/harness/connectors'
import { createMappedSource } from '../../sync/mapped-source.ts'
import type { ServerRegistry } from '../servers/server-registry.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'
import type { SecretCache } from '../sign-in/secret-cache.ts'
import { createCallForData } from './call-for-data.ts'
import type { ServerActions } from './server-actions.ts'

export interface ServerSyncOptions {
  readonly servers: ServerRegistry
  readonly sessions: ConnectionSessions
  readonly secrets: SecretCache
  readonly actions: Pick<ServerActions, 'list'>
  readonly callTimeoutMs: number
}

/** What a sync of a connection reads, for servers with a mapping. */
export function createServerSync(options: ServerSyncOptions): NonNullable<Connector['syncSource']> {
  const { servers, sessions, secrets, actions, callTimeoutMs: timeoutMs } = options
  return (connection) => {
    const mapping = servers.get(connection.toolkit)?.sync
    if (!mapping) return undefined
    const call = createCallForData(sessions, connection, {
      timeoutMs,
      redact: (text) => secrets.redact(text, connection.toolkit),
      list: (signal) => actions.list(connection, signal),
    })
    return createMappedSource(mapping, call)
  }
}
