import type { ActionLists } from '../actions/action-lists.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'
import type { SecretCache } from '../sign-in/secret-cache.ts'
import type { McpServerSummary } from './describe-server.ts'
import type { McpServerConfig } from './server-config.ts'
import { secretsIn } from './server-config.ts'
import type { ServerRegistry } from './server-registry.ts'

/** Changes the list of servers while they are used. Whoever follows the connector is notified. */
export interface ServerChanges {
  /** Throws a `ConfigurationError` for one that cannot work, or whose slug is taken. */
  addServer(config: McpServerConfig): void
  /** Replaces the configuration of a server and closes its sessions: the next call starts it anew. Rejects like `addServer`. */
  changeServer(config: McpServerConfig): Promise<void>
  /** Sets whether what the server says about its actions counts. False when there is no such server. */
  setTrust(slug: string, isTrusted: boolean): boolean
  /** Closes its sessions. False when there is no such server. */
  removeServer(slug: string): Promise<boolean>
  /** For a settings page. */
  servers(): readonly McpServerSummary[]
}

export function createServerChanges(parts: {
  readonly servers: ServerRegistry
  readonly secrets: Pick<SecretCache, 'remember'>
  readonly sessions: Pick<ConnectionSessions, 'dropServer'>
  readonly lists: Pick<ActionLists, 'forget'>
  readonly notify: (slug: string) => void
}): ServerChanges {
  const { servers, secrets, sessions, lists, notify } = parts
  return {
    servers: () => servers.summaries(),
    addServer(config) {
      servers.add(config)
      secrets.remember(config.slug, ...secretsIn(config))
      notify(config.slug)
    },
    async changeServer(config) {
      servers.replace(config)
      secrets.remember(config.slug, ...secretsIn(config))
      await sessions.dropServer(config.slug)
      notify(config.slug)
    },
    setTrust(slug, isTrusted) {
      const found = servers.setTrust(slug, isTrusted)
      if (found) notify(slug)
      return found
    },
    async removeServer(slug) {
      if (!servers.remove(slug)) return false
      lists.forget(slug)
      await sessions.dropServer(slug)
      notify(slug)
      return true
    },
  }
}
