import type { Connector } from '@capstan/harness/connectors'
import { createMappedSource } from '../../sync/mapped-source.ts'
import type { ServerRegistry } from '../servers/server-registry.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'
import type { SecretCache } from '../sign-in/secret-cache.ts'
import { untilAborted } from '../../until-aborted.ts'
import { createCallForData } from './call-for-data.ts'
import { createResourceSource } from './resource-source.ts'
import type { ServerActions } from './server-actions.ts'

export interface ServerSyncOptions {
  readonly servers: ServerRegistry
  readonly sessions: ConnectionSessions
  readonly secrets: SecretCache
  readonly actions: Pick<ServerActions, 'list'>
  readonly callTimeoutMs: number
}

/** What a sync of a connection reads: what a mapping names, else the resources of the server. */
export function createServerSync(options: ServerSyncOptions): NonNullable<Connector['syncSource']> {
  const { servers, sessions, secrets, actions, callTimeoutMs: timeoutMs } = options
  return (connection) => {
    const server = servers.get(connection.toolkit)
    if (!server) return undefined
    const redact = (text: string): string => secrets.redact(text, connection.id, connection.toolkit)
    if (server.sync) {
      const list = (signal: AbortSignal) => actions.list(connection, signal)
      return createMappedSource(
        server.sync,
        createCallForData(sessions, connection, { timeoutMs, redact, list }),
      )
    }
    // Not known before the first session: its first page then says so.
    if (servers.factsOf(connection.toolkit).hasResources === false) return undefined
    return createResourceSource(
      (work, signal) => {
        const done = sessions.useWithRetry(connection, work, { isRepeatable: true })
        return untilAborted(done, signal)
      },
      { timeoutMs, redact },
    )
  }
}
