import type { Store } from '@capstan/harness/stores'
import type { QueueMode, ThreadId } from '@capstan/protocol'
import { homeOf } from '../store-access/open-store.ts'
import type { Shell } from '../shell/shell.ts'
import { withStore } from '../store-access/with-store.ts'
import { findServer } from './server-file.ts'
import { openServerApi } from './call-server.ts'

/** Changes threads: in the store, or through the server that owns it. */
export interface ThreadEditor {
  rename(id: ThreadId, title: string): Promise<void>
  archive(id: ThreadId, isArchived: boolean): Promise<void>
  /** Undefined: the default. */
  setQueueMode(id: ThreadId, mode: QueueMode | undefined): Promise<void>
  /** Stops a running turn of the thread first. */
  delete(id: ThreadId): Promise<void>
}

/** Opens the data folder while `use` runs. */
export async function withThreadEditor<T>(
  shell: Shell,
  home: string | undefined,
  use: (store: Store, editor: ThreadEditor) => Promise<T>,
): Promise<T> {
  const folder = homeOf(home, shell.env)
  const server = findServer(folder)
  if (!server)
    return withStore(shell, { home, readOnly: false }, (store) => use(store, createStoreEditor(store)))
  const callServer = await openServerApi(folder, server)
  return withStore(shell, { home, readOnly: true }, (store) =>
    use(store, {
      rename: (id, title) => callServer(async (api) => void (await api.changeThread(id, { title }))),
      archive: (id, archived) => callServer(async (api) => void (await api.changeThread(id, { archived }))),
      setQueueMode: (id, mode) =>
        callServer(async (api) => void (await api.changeThread(id, { queueMode: mode ?? null }))),
      delete: (id) => callServer((api) => api.deleteThread(id)),
    }),
  )
}

function createStoreEditor(store: Store): ThreadEditor {
  return {
    async rename(id, title) {
      await store.threads.rename(id, title)
    },
    async archive(id, isArchived) {
      await store.threads.archive(id, isArchived ? Date.now() : undefined)
    },
    async setQueueMode(id, mode) {
      await store.threads.setQueueMode(id, mode)
    },
    async delete(id) {
      await store.threads.delete(id)
    },
  }
}
