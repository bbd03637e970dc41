import type { Integrations } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'

/**
 * Removes what all users have of an MCP server: connections, tokens, choices and standing permissions. An app of the same
 * slug that is reached in another way keeps its connections.
 */
export async function forgetServer(
  slug: string,
  { store, integrations }: { readonly store: Store; readonly integrations: Integrations },
): Promise<void> {
  for (const userId of await store.connections.users(slug))
    for (const { id, binding } of await store.approvals.listGrants(userId, 0))
      if (binding.app?.toolkit === slug) await store.approvals.revokeGrant(userId, id)
  await integrations.connections.removeApp('mcp', slug)
}
