import type {
  ConnectionRow,
  ConnectionStatus,
  ScopeSettings,
  ToolkitList,
  ToolkitView,
} from '@capstan/protocol'

/** The state of an app as the list shows it. */
export type ToolkitState = 'connected' | 'signing-in' | 'expired' | 'failed' | 'not-connected' | 'no-sign-in'

export type ToolkitFilter = 'all' | 'connected' | 'attention' | 'available'

/** The accounts to show. Disconnected accounts are left out. */
export function accountsOf({ connections }: ToolkitView): readonly ConnectionRow[] {
  return connections
    .filter(({ status }) => status !== 'disconnected')
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault) || a.createdAt - b.createdAt)
}

/** The state of an app. One usable account makes it connected; `needsAttention` reports the others. */
export function toToolkitState(toolkit: ToolkitView): ToolkitState {
  const has = (...statuses: ConnectionStatus[]): boolean =>
    toolkit.connections.some(({ status }) => statuses.includes(status))
  if (toolkit.auth === 'none' && !has('failed')) return 'no-sign-in'
  if (has('active')) return 'connected'
  if (has('pending')) return 'signing-in'
  if (has('expired', 'revoked')) return 'expired'
  return has('failed') ? 'failed' : 'not-connected'
}

/** Whether an account lost its sign-in or failed to get one. */
export const needsAttention = ({ connections }: ToolkitView): boolean =>
  connections.some(({ status }) => status === 'expired' || status === 'revoked' || status === 'failed')

function isIn(toolkit: ToolkitView, filter: ToolkitFilter): boolean {
  if (filter === 'all') return true
  if (filter === 'attention') return needsAttention(toolkit)
  const state = toToolkitState(toolkit)
  const isUsable = state === 'connected' || state === 'no-sign-in'
  return filter === 'connected' ? isUsable : !isUsable
}

/** The apps that match a search and a filter: those that need attention first, then usable ones, each by name. */
export function chooseToolkits(
  toolkits: readonly ToolkitView[],
  {
    search,
    filter,
    language,
  }: { readonly search: string; readonly filter: ToolkitFilter; readonly language: string },
): readonly ToolkitView[] {
  const words = search.toLocaleLowerCase(language).split(/\s+/).filter(Boolean)
  const collator = new Intl.Collator(language, { sensitivity: 'base', numeric: true })
  return toolkits
    .filter(
      (toolkit) => isIn(toolkit, filter) && words.every((word) => textOf(toolkit, language).includes(word)),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b) || collator.compare(a.name, b.name))
}

export function countFilters(toolkits: readonly ToolkitView[]): Readonly<Record<ToolkitFilter, number>> {
  const count = (filter: ToolkitFilter): number => toolkits.filter((toolkit) => isIn(toolkit, filter)).length
  return {
    all: toolkits.length,
    connected: count('connected'),
    attention: count('attention'),
    available: count('available'),
  }
}

const textOf = ({ name, slug, description, connections }: ToolkitView, language: string): string =>
  [name, slug, description, ...connections.map(({ label }) => label)].join(' ').toLocaleLowerCase(language)

function rankOf(toolkit: ToolkitView): number {
  if (needsAttention(toolkit)) return 0
  const state = toToolkitState(toolkit)
  if (state === 'signing-in') return 1
  if (state === 'connected') return 2
  return state === 'no-sign-in' ? 3 : 4
}

/**
 * The list with one connection updated. Undefined when the list does not contain the app: then it must be read again.
 */
export function applyConnection(list: ToolkitList, connection: ConnectionRow): ToolkitList | undefined {
  const toolkit = list.toolkits.find(({ slug }) => slug === connection.toolkit)
  if (!toolkit) return undefined
  const others = toolkit.connections
    .filter(({ id }) => id !== connection.id)
    .map((other) => (connection.isDefault && other.isDefault ? { ...other, isDefault: false } : other))
  const changed = { ...toolkit, connections: [...others, connection] }
  return { ...list, toolkits: list.toolkits.map((row) => (row === toolkit ? changed : row)) }
}

export function applyScopes(list: ToolkitList, toolkit: string, scopes: ScopeSettings): ToolkitList {
  return { ...list, toolkits: list.toolkits.map((row) => (row.slug === toolkit ? { ...row, scopes } : row)) }
}
