import type { WaterfallRow } from './waterfall.ts'

export type TreeMove =
  | { readonly type: 'go'; readonly key: string }
  | { readonly type: 'open' | 'close'; readonly key: string }

/**
 * What a key does in a tree with the visible rows `rows`, as the ARIA tree pattern defines: up and down move, forward
 * opens or enters a row, back closes or leaves it. Undefined when the key has no meaning here.
 */
export function moveInTree(
  pressed: string,
  {
    rows,
    current,
    closed,
    dir,
  }: {
    readonly rows: readonly WaterfallRow[]
    readonly current: string
    readonly closed: ReadonlySet<string>
    readonly dir: 'ltr' | 'rtl'
  },
): TreeMove | undefined {
  const at = rows.findIndex(({ key }) => key === current)
  const row = rows[at]
  if (!row) return undefined
  const go = (to: WaterfallRow | undefined): TreeMove | undefined => to && { type: 'go', key: to.key }
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const back = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  const isOpen = row.hasChildren && !closed.has(row.key)
  switch (pressed) {
    case 'ArrowDown':
      return go(rows[at + 1])
    case 'ArrowUp':
      return go(rows[at - 1])
    case 'Home':
      return go(rows[0])
    case 'End':
      return go(rows.at(-1))
    case forward:
      if (!row.hasChildren) return undefined
      return isOpen ? go(rows[at + 1]) : { type: 'open', key: row.key }
    case back:
      if (isOpen) return { type: 'close', key: row.key }
      return go(rows.find(({ key }) => key === row.parentKey))
    case ' ':
      return row.hasChildren ? { type: isOpen ? 'close' : 'open', key: row.key } : undefined
    default:
      return undefined
  }
}
