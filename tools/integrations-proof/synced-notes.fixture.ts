import type { ConnectionRow, SyncMapping } from '@capstan/protocol'

/** How pages are listed and read with the actions of the Notes app. */
export const NOTES: SyncMapping = {
  list: {
    action: 'list_pages',
    cursor: 'cursor',
    items: 'pages',
    next: 'nextCursor',
    total: 'total',
    isNewestFirst: true,
  },
  read: { action: 'read_page', id: 'pageId', item: 'page' },
  fields: { id: 'id', version: 'version', at: 'updatedAt', title: 'title', text: 'text' },
}

/** Ada's account, connected by Ana. */
export const ROW: ConnectionRow = {
  id: 'connection_1',
  userId: 'ana',
  connector: 'mcp',
  toolkit: 'notes',
  status: 'active',
  label: 'ada',
  isDefault: true,
  createdAt: 0,
  updatedAt: 0,
}
