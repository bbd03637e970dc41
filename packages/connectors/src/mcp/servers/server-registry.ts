import type { ToolkitRow } from '@capstan/protocol'
import { ConfigurationError } from '@capstan/harness'
import type { Challenge } from '../errors.ts'
import type { McpServerSummary } from './describe-server.ts'
import { toSummary, toToolkit } from './describe-server.ts'
import type { McpServerConfig } from './server-config.ts'
import { checkServerConfig } from './server-config.ts'

/** The configured servers, and what was learned about each while it was in use. */
export interface ServerRegistry {
  get(slug: string): McpServerConfig | undefined
  /** Throws `NoSuchServer` when it was removed. */
  require(slug: string): McpServerConfig
  /** Changed in place by those who learn something. Gone when the server is removed. */
  factsOf(slug: string): ServerFacts
  /** Throws a `ConfigurationError` for one that cannot work, or whose slug is taken. */
  add(config: McpServerConfig): void
  /** Replaces a server. What was learned about it stays. Throws like `add`, and `NoSuchServer`. */
  replace(config: McpServerConfig): void
  /** False when there is no such server. */
  setTrust(slug: string, isTrusted: boolean): boolean
  /** False when there is no such server. */
  remove(slug: string): boolean
  toolkits(): readonly ToolkitRow[]
  summaries(): readonly McpServerSummary[]
}

export interface ServerFacts {
  /** What the server says about its use, sanitized and cut. Untrusted: only quoted, and never in a system prompt. */
  instructions?: string
  /** The server uses the older protocol revision. Until this time it is not asked whether it knows the newer one. */
  legacyUntil?: number
  auth?: 'none' | 'oauth'
  /** Whether it offers resources, which a sync can read. Unknown until a session was opened. */
  hasResources?: boolean
  /** From a refusal that came after the handshake. */
  challenge?: Challenge
}

class NoSuchServer extends Error {
  override readonly name = 'NoSuchServer'

  constructor(slug: string) {
    super(`there is no MCP server "${slug}"`)
  }
}

export function createServerRegistry(): ServerRegistry {
  const servers = new Map<string, McpServerConfig>()
  const facts = new Map<string, ServerFacts>()
  return {
    get: (slug) => servers.get(slug),
    require(slug) {
      const server = servers.get(slug)
      if (!server) throw new NoSuchServer(slug)
      return server
    },
    factsOf(slug) {
      let known = facts.get(slug)
      if (!known) facts.set(slug, (known = {}))
      return known
    },
    add(config) {
      checkServerConfig(config)
      if (servers.has(config.slug)) throw new ConfigurationError('slug', `"${config.slug}" is taken`)
      servers.set(config.slug, config)
    },
    replace(config) {
      this.require(config.slug)
      checkServerConfig(config)
      servers.set(config.slug, config)
    },
    setTrust(slug, isTrusted) {
      const server = servers.get(slug)
      if (server) servers.set(slug, { ...server, isTrusted })
      return server !== undefined
    },
    remove(slug) {
      facts.delete(slug)
      return servers.delete(slug)
    },
    toolkits: () => [...servers.values()].map((server) => toToolkit(server, facts.get(server.slug))),
    summaries: () => [...servers.values()].map(toSummary),
  }
}
