import { ConfigurationError } from '@capstan/harness'
import type {
  TriggerAction,
  TriggerDetail,
  TriggerPage,
  TriggerSettings,
  TriggerSource,
  TriggerSourceCreated,
  TriggerSourceFields,
  TriggerSourceList,
  TriggerSourcePost,
} from '@capstan/protocol'
import type { StoredTriggers } from '@capstan/server'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError } from '../../shell/shell.ts'
import { homeOf, openStoreAsOwner, refuseBesideNodes, USER_ID } from '../../store-access/open-store.ts'
import { withStore } from '../../store-access/with-store.ts'

/** Which triggers to list. */
interface TriggerQuery {
  readonly source?: string
  readonly action?: TriggerAction
  readonly after?: string
  readonly limit: number
}

/** What the commands need, from a server or from the data folder. */
export interface TriggerAccess {
  /** Where the server answers. Absent without one: a source has a path only. */
  readonly url?: string
  list(query: TriggerQuery): Promise<TriggerPage>
  get(id: string): Promise<TriggerDetail>
  correct(
    id: string,
    feedback: { readonly right: TriggerAction; readonly note?: string },
  ): Promise<TriggerDetail>
  sources(): Promise<TriggerSourceList>
  add(post: TriggerSourcePost): Promise<TriggerSourceCreated>
  change(id: string, patch: Partial<TriggerSourceFields>): Promise<TriggerSource>
  replaceSecret(id: string, secret: string | undefined): Promise<TriggerSourceCreated>
  remove(id: string): Promise<void>
  switchAll(isOff: boolean): Promise<TriggerSettings>
}

/** Uses the running server, or the data folder when there is none. */
export async function withTriggers<T>(
  shell: Shell,
  { home, readOnly }: { readonly home: string | undefined; readonly readOnly: boolean },
  use: (access: TriggerAccess) => Promise<T>,
): Promise<T> {
  const folder = homeOf(home, shell.env)
  const server = findServer(folder)
  if (server) {
    const call = await openServerApi(folder, server)
    return use({
      url: server.url,
      list: (query) => call((api) => api.triggers(query)),
      get: (id) => call((api) => api.trigger(id)),
      correct: (id, feedback) => call((api) => api.correctTrigger(id, feedback)),
      sources: () => call((api) => api.triggerSources()),
      add: (post) => call((api) => api.addTriggerSource(post)),
      change: (id, patch) => call((api) => api.changeTriggerSource(id, patch)),
      replaceSecret: (id, secret) => call((api) => api.replaceTriggerSecret(id, secret)),
      remove: (id) => call((api) => api.removeTriggerSource(id)),
      switchAll: (isOff) => call((api) => api.changeTriggerSettings({ isOff })),
    })
  }
  // Nodes keep sources in their database, beside the vault that is read below.
  refuseBesideNodes(shell.env)
  // Loaded here, because most commands do not need it.
  const { openStoredTriggers } = await import('@capstan/server')
  if (readOnly)
    return withStore(shell, { home, readOnly }, async (store) =>
      use(toAccess(await openStoredTriggers(store))),
    )
  // A source may be the first thing in a data folder.
  const store = openStoreAsOwner(folder, shell.env)
  try {
    return await use(toAccess(await openStoredTriggers(store)))
  } finally {
    await store.close()
  }
}

function toAccess({ activity, sources, correct }: StoredTriggers): TriggerAccess {
  const noSource = (id: string): never => unknown(`There is no source "${id}".`, 'sources list')
  const noTrigger = (id: string): never => unknown(`There is no trigger "${id}".`, 'list')
  return {
    list: async ({ source, ...query }) =>
      (await activity.list(USER_ID, { ...query, ...(source !== undefined && { sourceId: source }) })) ??
      noTrigger(query.after ?? ''),
    get: async (id) => (await activity.get(USER_ID, id)) ?? noTrigger(id),
    correct: async (id, feedback) => (await correct(USER_ID, id, feedback)) ?? noTrigger(id),
    sources: async () => ({ ...sources.list(USER_ID), calls: await activity.calls(USER_ID) }),
    add: (post) => sources.add(USER_ID, post).catch(refuse),
    change: async (id, patch) => (await sources.change(USER_ID, id, patch).catch(refuse)) ?? noSource(id),
    replaceSecret: async (id, secret) =>
      (await sources.replaceSecret(USER_ID, id, secret).catch(refuse)) ?? noSource(id),
    remove: async (id) => void ((await sources.remove(USER_ID, id)) || noSource(id)),
    switchAll: (isOff) => sources.changeSettings(USER_ID, { isOff }),
  }
}

function refuse(error: unknown): never {
  if (error instanceof ConfigurationError) throw new CommandError(error.message, { class: 'invalid_input' })
  throw error
}

function unknown(message: string, list: string): never {
  throw new CommandError(message, {
    class: 'not_found',
    next: `"capstan triggers ${list}" lists those that there are.`,
  })
}
