import type {
  FactList,
  ForgottenApp,
  FactPatch,
  MemoryFact,
  MemoryHitRow,
  MemoryItemPost,
  MemoryItemRow,
  MemoryPage,
  MemorySourceRow,
} from '@capstan/protocol'
import type { Sender } from './sender.ts'
import { readBody, route, toQuery } from './sender.ts'

interface Options {
  readonly signal?: AbortSignal
}
interface Source {
  readonly app?: string
  readonly account?: string
}

/** What is remembered of apps, and about the person. */
export interface MemoryApi {
  /** Best first. Texts are cut. */
  searchMemory(
    q: string,
    query?: Options & Source & { readonly limit?: number },
  ): Promise<{ readonly hits: readonly MemoryHitRow[] }>
  /** Newest first. `after`: the id of the last item of the page before. Texts are cut. */
  memoryItems(
    query?: Options & Source & { readonly after?: string; readonly limit?: number },
  ): Promise<MemoryPage>
  /** Adds items, all or none, at most `MAX_ITEMS_ADDED`. Those with the same ids are replaced. */
  addMemoryItems(items: readonly MemoryItemPost[], options?: Options): Promise<{ readonly added: number }>
  memoryApps(options?: Options): Promise<{ readonly apps: readonly MemorySourceRow[] }>
  /** One item with its whole text. */
  memoryItem(itemId: string, options?: Options): Promise<MemoryItemRow>
  forgetItem(itemId: string, options?: Options): Promise<void>
  /** At most `MAX_ITEMS_FORGOTTEN`. Those that are not there are left out of the count. */
  forgetItems(ids: readonly string[], options?: Options): Promise<{ readonly forgotten: number }>
  /** Rejects with `not_found` when the app has no items. */
  forgetApp(app: string, options?: Options & { readonly account?: string }): Promise<ForgottenApp>
  /** All items as JSON lines. */
  exportMemory(query?: Options & Source): Promise<string>
  /** The address of the export, for a link. */
  memoryExportUrl(source?: Source): string
  /** Newest first. */
  facts(options?: Options): Promise<FactList>
  /** Rejects with `conflict` when there are `MAX_FACTS`. */
  addFact(text: string, options?: Options): Promise<MemoryFact>
  changeFact(factId: string, patch: FactPatch, options?: Options): Promise<MemoryFact>
  forgetFact(factId: string, options?: Options): Promise<void>
}

export function memoryApi({ base, send, json, nothing }: Sender): MemoryApi {
  return {
    searchMemory: (q, { signal, ...query } = {}) =>
      json('GET', '/api/memory/search', { signal, query: { ...query, q } }),
    memoryItems: ({ signal, ...query } = {}) => json('GET', '/api/memory/items', { signal, query }),
    addMemoryItems: (items, given) => json('POST', '/api/memory/items', { ...given, body: { items } }),
    memoryApps: (given) => json('GET', '/api/memory/apps', given),
    memoryItem: (itemId, given) => json('GET', route`/api/memory/items/${itemId}`, given),
    forgetItem: (itemId, given) => nothing('DELETE', route`/api/memory/items/${itemId}`, given),
    forgetItems: (ids, given) => json('POST', '/api/memory/items/forget', { ...given, body: { ids } }),
    forgetApp: (app, { signal, ...query } = {}) =>
      json('DELETE', route`/api/memory/apps/${app}`, { signal, query }),
    async exportMemory({ signal, ...query } = {}) {
      const response = await send('GET', '/api/memory/export', { signal, query })
      return readBody(() => response.text(), signal)
    },
    memoryExportUrl: (source = {}) => `${base}/api/memory/export${toQuery({ ...source })}`,
    facts: (given) => json('GET', '/api/memory/facts', given),
    addFact: (text, given) => json('POST', '/api/memory/facts', { ...given, body: { text } }),
    changeFact: (factId, patch, given) =>
      json('PATCH', route`/api/memory/facts/${factId}`, { ...given, body: patch }),
    forgetFact: (factId, given) => nothing('DELETE', route`/api/memory/facts/${factId}`, given),
  }
}
