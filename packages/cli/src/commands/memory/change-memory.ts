import { createOwnFact } from '@capstan/harness/memory'
import type { MemoryItem, MemorySource, Store } from '@capstan/harness/stores'
import type { FactPatch, ForgottenApp, MemoryFact } from '@capstan/protocol'
import { MAX_FACTS } from '@capstan/protocol'
import type { CallServer } from '../../server-access/call-server.ts'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError } from '../../shell/shell.ts'
import { homeOf, openStoreAsOwner, USER_ID } from '../../store-access/open-store.ts'

/** What commands change in memory: through the running server, or in the store when there is none. */
export interface MemoryEditor {
  /** At most `MAX_ITEMS_ADDED`: all or none of them. */
  put(items: readonly MemoryItem[]): Promise<{ readonly added: number }>
  /** Answers how many there were. */
  forget(ids: readonly string[]): Promise<number>
  /** Only a running server knows of syncs that are on. */
  forgetAll(source: MemorySource): Promise<ForgottenApp>
  addFact(text: string): Promise<MemoryFact>
  /** Undefined: there is no such fact. */
  changeFact(id: string, patch: FactPatch): Promise<MemoryFact | undefined>
  /** Answers how many there were. */
  forgetFacts(ids: readonly string[]): Promise<number>
  facts(): Promise<readonly MemoryFact[]>
}

/** Opens memory for changes while `use` runs. A database is shared with nodes: items belong to no node, so they need none. */
export async function withMemoryEditor<T>(
  { env }: Shell,
  home: string | undefined,
  use: (editor: MemoryEditor) => Promise<T>,
): Promise<T> {
  const folder = homeOf(home, env)
  const server = env['DATABASE_URL'] ? undefined : findServer(folder)
  if (server) return use(createServerEditor(await openServerApi(folder, server)))
  const store = await open(env, folder)
  try {
    return await use(createStoreEditor(store))
  } finally {
    await store.close()
  }
}

async function open(env: Shell['env'], folder: string): Promise<Store> {
  const url = env['DATABASE_URL']
  if (!url) return openStoreAsOwner(folder, env)
  const { openPostgresStore } = await import('@capstan/stores/postgres')
  const keyFile = env['CAPSTAN_KEY_FILE']
  return openPostgresStore({ url, env, poolSize: 2, ...(keyFile && { keyFile }) })
}

function createServerEditor(call: CallServer): MemoryEditor {
  // What is not there counts as nothing, as in the store.
  const orElse = async <Answer>(ask: Promise<Answer>, none: Answer): Promise<Answer> => {
    try {
      return await ask
    } catch (error) {
      if (error instanceof CommandError && error.problem.class === 'not_found') return none
      throw error
    }
  }
  const countForgotten = async (
    ids: readonly string[],
    forget: (id: string) => Promise<void>,
  ): Promise<number> => {
    let count = 0
    for (const id of ids)
      count += await orElse(
        forget(id).then(() => 1),
        0,
      )
    return count
  }
  return {
    put: (items) => call((api) => api.addMemoryItems(items)),
    forget: (ids) => countForgotten(ids, (id) => call((api) => api.forgetItem(id))),
    forgetAll: ({ app, account }) =>
      orElse<ForgottenApp>(
        call((api) => api.forgetApp(app, account === undefined ? {} : { account })),
        { forgotten: 0 },
      ),
    addFact: (text) => call((api) => api.addFact(text)),
    changeFact: (id, patch) =>
      orElse<MemoryFact | undefined>(
        call((api) => api.changeFact(id, patch)),
        undefined,
      ),
    forgetFacts: (ids) => countForgotten(ids, (id) => call((api) => api.forgetFact(id))),
    facts: async () => (await call((api) => api.facts())).facts,
  }
}

function createStoreEditor({ memory }: Store): MemoryEditor {
  return {
    put: async (items) => memory.put(USER_ID, items),
    forget: async (ids) => memory.remove(USER_ID, ids),
    forgetAll: async (source) => ({ forgotten: await memory.removeAll(USER_ID, source) }),
    async addFact(text) {
      const fact = createOwnFact(text, Date.now())
      if ((await memory.facts.add(USER_ID, fact)) === 'full')
        throw new CommandError(`There are ${MAX_FACTS} facts. Forget one first.`, { class: 'invalid_input' })
      return fact
    },
    changeFact: async (id, patch) => memory.facts.change(USER_ID, id, { ...patch, at: Date.now() }),
    forgetFacts: async (ids) => memory.facts.remove(USER_ID, ids),
    facts: async () => memory.facts.list(USER_ID),
  }
}
