import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createFolderArtifacts } from '@capstan/harness/stores'
import type { ThreadArtifacts } from '../../shared/artifacts/thread-artifacts.ts'
import { toStoreError } from '../database/store-errors.ts'

/** A folder per thread, so that a thread's artifacts can go with it. */
export function createThreadArtifacts(folder: string): ThreadArtifacts {
  const folderOf = (threadId: string): string =>
    join(folder, createHash('sha256').update(threadId).digest('hex').slice(0, 32))
  const filesOf = async (threadId: string): Promise<Dirent[]> => {
    const entries = await readdir(folderOf(threadId), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return entries.filter((entry) => entry.isFile())
  }
  return {
    create: (name) => createFolderArtifacts(folderOf(name.threadId)).create(name),
    read: (threadId, id, range) => createFolderArtifacts(folderOf(threadId)).read(threadId, id, range),
    async list(threadId) {
      const files = (await filesOf(threadId)).filter(({ name }) => name.endsWith('.txt'))
      return files
        .map(({ parentPath, name }) => `${basename(parentPath)}.${basename(name, '.txt')}`)
        .toSorted()
    },
    async bytesOf(threadId) {
      const sizes = (await filesOf(threadId)).map(({ parentPath, name }) => sizeOf(join(parentPath, name)))
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
