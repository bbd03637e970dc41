import type { ToolkitRow } from '@capstan/protocol'
import type { McpServerConfig } from './server-config.ts'
import type { ServerFacts } from './server-registry.ts'

/** A server for a settings page. Holds no header, environment variable, argument, query or secret. */
export interface McpServerSummary {
  readonly slug: string
  readonly name: string
  readonly transport: 'http' | 'stdio'
  /** The URL, or the program. */
  readonly address: string
  /** Whether the owner trusts what it says about its actions. */
  readonly isTrusted: boolean
}

/** Pure. */
export function toSummary(server: McpServerConfig): McpServerSummary {
  const { slug, transport } = server
  const isTrusted = server.isTrusted === true
  const named = { slug, name: nameOf(server), transport: transport.type, isTrusted }
  if (transport.type === 'stdio') return { ...named, address: transport.command }
  const { origin, pathname } = new URL(transport.url)
  return { ...named, address: origin + pathname }
}

/** The server as a toolkit: what its configuration says, then what was learned from it. Pure. */
export function toToolkit(server: McpServerConfig, facts: ServerFacts | undefined): ToolkitRow {
  const name = nameOf(server)
  const found = server.transport.type === 'stdio' ? 'none' : (facts?.auth ?? 'oauth')
  return {
    slug: server.slug,
    name,
    description: server.description ?? `Actions of the MCP server ${name}.`,
    connector: 'mcp',
    auth: server.auth ?? found,
  }
}

const nameOf = ({ name, slug }: McpServerConfig): string =>
  name ?? slug.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
