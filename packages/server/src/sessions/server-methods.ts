import type { McpServerConfig } from '@capstan/connectors'
import type { Store } from '@capstan/harness/stores'
import type { McpServerPatch, McpServerRow, SyncMapping } from '@capstan/protocol'
import type { Assistant } from './assistant.ts'
import type { ConnectedApps } from './connect-apps.ts'
import { forgetServer } from './forget-server.ts'
import type { RecordAudit } from './record-audit.ts'

const PROPOSE_TIMEOUT_MS = 30_000

/** The MCP servers that users added. Every change is in the audit log. */
export function toServerMethods(parts: {
  readonly presets: readonly McpServerConfig[]
  readonly store: Store
  readonly apps: ConnectedApps
  readonly record: RecordAudit
}): Pick<
  Assistant,
  | 'listMcpServers'
  | 'previewMcpServer'
  | 'addMcpServer'
  | 'changeMcpServer'
  | 'removeMcpServer'
  | 'proposeMappings'
  | 'isTrusted'
> {
  const { presets, record, store } = parts
  const { integrations, servers } = parts.apps
  const forget = (slug: string): Promise<void> => forgetServer(slug, { store, integrations })
  return {
    listMcpServers: () => servers.list(),
    previewMcpServer: (post) => servers.preview(post),
    isTrusted: (slug) => servers.isTrusted(slug),
    async addMcpServer(userId, post) {
      // A server of an earlier version may have left something under this slug.
      await forget(servers.preview(post).slug)
      const row = await servers.add(post)
      await record(userId, 'server-add', row.slug, describeTransport(row))
      return row
    },
    async changeMcpServer(userId, slug, patch) {
      const row = await servers.change(slug, patch)
      if (row) await record(userId, 'server-change', slug, describePatch(patch))
      return row
    },
    async proposeMappings(userId, slug) {
      if (!servers.list().some((server) => server.slug === slug)) return 'unknown'
      const connections = await integrations.connections.list(userId)
      const connection = connections.find(
        ({ connector, toolkit, status }) => connector === 'mcp' && toolkit === slug && status === 'active',
      )
      if (!connection) return 'not-connected'
      const { read } = await store.connections.scopes(userId, slug)
      return read ? servers.propose(connection, AbortSignal.timeout(PROPOSE_TIMEOUT_MS)) : 'no-reading'
    },
    async removeMcpServer(userId, slug) {
      if (!servers.list().some((server) => server.slug === slug)) return false
      const isPreset = presets.some((preset) => preset.slug === slug)
      if (!isPreset) await forget(slug)
      const isGone = await servers.remove(slug)
      // Somebody may have connected meanwhile.
      if (!isPreset) await forget(slug)
      if (isGone) await record(userId, 'server-remove', slug)
      return isGone
    },
  }
}

/** Without the rest of the address and without arguments: both may hold a key. */
const describeTransport = ({ transport }: McpServerRow): { readonly [fact: string]: string } =>
  transport.type === 'http' ? { address: new URL(transport.url).origin } : { program: transport.command }

function describePatch({ sandbox, shared, isTrusted, sync }: McpServerPatch): {
  readonly [fact: string]: string | boolean
} {
  return {
    ...(sandbox && {
      folders: sandbox.folders.map(({ path, access }) => `${access} ${path}`).join(', '),
      network: sandbox.network === 'hosts' ? sandbox.hosts.join(', ') : sandbox.network,
      environment: sandbox.environment.join(', '),
    }),
    ...(shared === undefined ? undefined : { shared }),
    ...(isTrusted === undefined ? undefined : { isTrusted }),
    ...(sync === undefined ? undefined : { sync: describeMapping(sync) }),
  }
}

/** The actions that a sync calls. */
const describeMapping = (sync: SyncMapping | null): string =>
  sync === null ? 'none' : [sync.list.action, ...(sync.read ? [sync.read.action] : [])].join(', ')
