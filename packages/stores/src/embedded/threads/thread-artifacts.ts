import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolderArtifacts } from '@capstan/harness/stores'
import type { ArtifactStore } from '@capstan/harness/stores'
import { toStoreError } from '../database/store-errors.ts'

export interface ThreadArtifacts extends ArtifactStore {
  delete(threadId: string): Promise<void>
}

/** A folder per thread, so that a thread's artifacts can go with it. */
export function createThreadArtifacts(folder: string): ThreadArtifacts {
  const folderOf = (threadId: string): string =>
    join(folder, createHash('sha256').update(threadId).digest('hex').slice(0, 32))
  return {
    create: (name) => createFolderArtifacts(folderOf(name.threadId)).create(name),
    read: (threadId, id, range) => createFolderArtifacts(folderOf(threadId)).read(threadId, id, range),
    async delete(threadId) {
      try {
        await rm(folderOf(threadId), { recursive: true, force: true })
      } catch (error) {
        throw toStoreError(error)
      }
    },
  }
}
