import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolderArtifacts } from '@capstan/harness/stores'
import type { ThreadArtifacts } from '../../shared/artifacts/thread-artifacts.ts'
import { toStoreError } from '../database/store-errors.ts'

/** A folder per thread, so that a thread's artifacts can go with it. */
export function createThreadArtifacts(folder: string): ThreadArtifacts {
  const folderOf = (threadId: string): string =>
    join(folder, createHash('sha256').update(threadId).digest('hex').slice(0, 32))
  return {
    create: (name) => createFolderArtifacts(folderOf(name.threadId)).create(name),
    read: (threadId, id, range) => createFolderArtifacts(folderOf(threadId)).read(threadId, id, range),
    async bytesOf(threadId) {
      const entries = await readdir(folderOf(threadId), { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
      const sizes = entries
        .filter((entry) => entry.isFile())
        .map((entry) => sizeOf(join(entry.parentPath, entry.name)))
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    },
    async delete(threadId) {
      try {
        await rm(folderOf(threadId), { recursive: true, force: true })
      } catch (error) {
        throw toStoreError(error)
      }
    },
  }
}

/** 0 for a file that was removed meanwhile. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
