import type { McpConnector, McpServerConfig } from '@capstan/connectors'
import type { OwnServer } from '../settings/settings-file.ts'

/** The servers that users added, in the connector of this node. A server with the slug of a preset is left out. */
export interface ConnectedServers {
  /** Throws a `ConfigurationError` for one that cannot work. */
  add(server: OwnServer): void
  /** Ends its sessions, unless only its trust changed. Rejects like `add`. */
  change(server: OwnServer): Promise<void>
  remove(slug: string): Promise<void>
  /** Adds, changes and removes until the connector has these servers. */
  match(servers: readonly OwnServer[], onUnusable: (server: OwnServer, error: unknown) => void): Promise<void>
}

export function createConnectedServers(options: {
  readonly connector: McpConnector
  readonly presets: readonly string[]
  readonly toConfig: (server: OwnServer) => McpServerConfig
}): ConnectedServers {
  const { connector, presets, toConfig } = options
  /** As they were last given to the connector, also those that it refused. */
  const given = new Map<string, OwnServer>()

  function add(server: OwnServer): void {
    given.set(server.slug, server)
    connector.addServer(toConfig(server))
  }

  async function change(server: OwnServer): Promise<void> {
    const { slug } = server
    const before = given.get(slug)
    given.set(slug, server)
    if (presets.includes(slug)) return
    if (!isSame({ ...before, isTrusted: undefined }, { ...server, isTrusted: undefined }))
      await connector.changeServer(toConfig(server))
    if (before?.isTrusted !== server.isTrusted) connector.setTrust(slug, server.isTrusted === true)
  }

  async function remove(slug: string): Promise<void> {
    given.delete(slug)
    if (!presets.includes(slug)) await connector.removeServer(slug)
  }

  return {
    add,
    change,
    remove,
    async match(servers, onUnusable) {
      const slugs = new Set(servers.map(({ slug }) => slug))
      for (const slug of [...given.keys()].filter((one) => !slugs.has(one))) await remove(slug)
      for (const server of servers) {
        const before = given.get(server.slug)
        try {
          if (!before) add(server)
          else if (!isSame(before, server)) await change(server)
        } catch (error) {
          onUnusable(server, error)
        }
      }
    },
  }
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)
