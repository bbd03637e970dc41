import type { ConnectionRow, ToolkitView } from '@capstan/protocol'

/** An app for tests: a sign-in, no account, read and write allowed. */
export function toolkit(slug: string, fields: Partial<ToolkitView> = {}): ToolkitView {
  return {
    slug,
    name: slug.charAt(0).toUpperCase() + slug.slice(1),
    description: '',
    connector: 'mcp',
    auth: 'oauth',
    connections: [],
    scopes: { read: true, write: true, admin: false },
    isOwn: false,
    ...fields,
  }
}

/** An account for tests: one that can be used. */
export function account(slug: string, fields: Partial<ConnectionRow> = {}): ConnectionRow {
  return {
    id: `connection_${slug}`,
    userId: 'user',
    connector: 'mcp',
    toolkit: slug,
    status: 'active',
    label: '',
    isDefault: false,
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  }
}
