import { createHash, randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ArtifactStore, ArtifactWriter } from '../artifact-store.ts'
import { makeFolder } from '../make-folder.ts'
import { cutSlice, toFetchRange } from './artifact-bytes.ts'
import { createArtifactWriter } from './artifact-writer.ts'

/**
 * Keeps artifacts as files `<thread>/<tool>/<call>.<secret>.txt` under `folder`, readable by this user alone. They
 * outlive the process. No name and no id reaches a file outside of the thread's own folder.
 */
export function createFolderArtifacts(folder: string): ArtifactStore {
  return {
    create({ threadId, callId, tool }) {
      const id = `${toSafeName(tool)}.${toSafeName(callId)}.${randomBytes(16).toString('base64url')}`
      return createFileWriter(id, join(folder, toSafeName(threadId), toFileName(id)))
    },
    async read(threadId, id, range) {
      if (!ID.test(id)) return undefined
      const file = await openIfThere(join(folder, toSafeName(threadId), toFileName(id)))
      if (!file) return undefined
      try {
        const { size } = await file.stat()
        const { from, to } = toFetchRange(range, size)
        const fetched = Buffer.alloc(to - from)
        const { bytesRead } = await file.read(fetched, 0, fetched.length, from)
        return cutSlice(fetched.subarray(0, bytesRead), from, range.maxBytes, size)
      } finally {
        await file.close()
      }
    },
  }
}

function createFileWriter(id: string, path: string): ArtifactWriter {
  const unfinished = `${path}.part`
  let file: FileHandle | undefined
  return createArtifactWriter(id, {
    async append(block) {
      file ??= await createFile(unfinished)
      await file.appendFile(block)
    },
    async finish() {
      file ??= await createFile(unfinished)
      await file.close()
      await rename(unfinished, path)
    },
    async remove() {
      await file?.close().catch(() => {})
      await rm(unfinished, { force: true })
    },
  })
}

async function createFile(path: string): Promise<FileHandle> {
  makeFolder(dirname(path))
  return open(path, 'wx', 0o600)
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const ID = /^[a-z0-9_~-]{1,80}\.[a-z0-9_~-]{1,80}\.[A-Za-z0-9_-]{22}$/

function toFileName(id: string): string {
  const [tool = '', ...rest] = id.split('.')
  return join(tool, `${rest.join('.')}.txt`)
}

const PLAIN_NAME = /^[a-z0-9_-]{1,60}$/
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * A folder or file name that means nothing to any file system. Two different names never share one: what is not plain
 * lower case gets a digest, also because some file systems treat A and a as the same.
 */
function toSafeName(name: string): string {
  if (PLAIN_NAME.test(name) && !DEVICE_NAME.test(name)) return name
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
    .slice(0, 40)
  return `${readable}~${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}
