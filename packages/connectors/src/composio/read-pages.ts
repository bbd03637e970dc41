const MAX_PAGES = 50

interface Page<Item> {
  readonly items?: readonly Item[]
  readonly next_cursor?: string | null
}

/** All pages, in order. Rejects when one of them cannot be read: a part is never returned as the whole. */
export async function readPages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items: more, next_cursor: next } = await read(cursor)
    if (!Array.isArray(more)) throw new Error('Composio answered with something that is no list')
    items.push(...(more as readonly Item[]))
    if (!next) return items
    if (seen.has(next)) throw new Error('Composio sent the same page twice')
    seen.add(next)
    cursor = next
  }
  throw new Error('Composio has more pages than can be read')
}
