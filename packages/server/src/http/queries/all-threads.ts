import type { Threads } from '@capstan/harness'
import type { ThreadRow } from '@capstan/protocol'

const PAGE = 100

/** Every thread once, newest first, read in pages. Threads with the same time are not lost between two pages. */
export async function* allThreads(
  list: (query: {
    readonly archived: boolean
    readonly limit: number
    readonly before?: number
  }) => ReturnType<Threads['list']> | readonly ThreadRow[],
  archived: boolean,
  start: { readonly before?: number } = {},
): AsyncGenerator<ThreadRow, undefined> {
  const seen = new Set<string>()
  let query: Parameters<typeof list>[0] = { archived, limit: PAGE, ...start }
  for (;;) {
    const page = await list(query)
    const fresh = page.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    yield* fresh
    const last = page.at(-1)
    if (!last || page.length < query.limit) return undefined
    // The next page repeats the time this one ended with. A page without a new thread was too short.
    const limit = fresh.length > 0 ? PAGE : query.limit * 2
    query = { archived, limit, before: last.updatedAt + 1 }
  }
}
