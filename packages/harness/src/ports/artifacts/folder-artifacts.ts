import { createHash, randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ArtifactStore, ArtifactWriter } from '../artifact-store.ts'
import { makeFolder } from '../make-folder.ts'
import { createBlockEncoder, cutSlice, toFetchRange } from './artifact-bytes.ts'

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

const SMALL_CHARS = 64 * 1024

function createFileWriter(id: string, path: string): ArtifactWriter {
  const encoder = createBlockEncoder()
  const unfinished = `${path}.part`
  let file: FileHandle | undefined
  let bytes = 0
  let isOpen = true
  // One write at a time, also for a caller that does not wait.
  let written: Promise<void> = Promise.resolve()
  let waiting = 0

  const append = (blocks: Iterable<Buffer>): Promise<void> => {
    waiting++
    written = written.then(async () => {
      file ??= await createFile(unfinished)
      for (const block of blocks) {
        await file.appendFile(block)
        bytes += block.length
      }
      waiting--
    })
    // A failed write rejects the returned promise, and `close`.
    written.catch(() => {})
    return written
  }
  const refuseIfEnded = (): void => {
    if (!isOpen) throw new Error('this artifact is closed')
  }
  return {
    write(text) {
      refuseIfEnded()
      if (waiting > 0 || text.length > SMALL_CHARS) return append(encoder.add(text))
      // Most pieces only add to the block that is being filled, and cost no promise.
      const full = [...encoder.add(text)]
      return full.length === 0 ? undefined : append(full)
    },
    async close() {
      refuseIfEnded()
      isOpen = false
      try {
        await append(encoder.end())
        await file?.close()
        await rename(unfinished, path)
      } catch (error) {
        await removeUnfinished()
        throw error
      }
      return { id, bytes }
    },
    async discard() {
      if (!isOpen) return
      isOpen = false
      await written.catch(() => {})
      await removeUnfinished()
    },
  }

  async function removeUnfinished(): Promise<void> {
    await file?.close().catch(() => {})
    await rm(unfinished, { force: true })
  }
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
