import { hash, randomBytes } from 'node:crypto'
import { createArtifactWriter, cutSlice, toFetchRange } from '@capstan/harness/stores'
import type { BlockTarget } from '@capstan/harness/stores'
import type { RestorableArtifacts, ThreadArtifacts } from '../shared/artifacts/thread-artifacts.ts'
import type { Bucket, Upload } from './bucket.ts'

/** What is kept of an artifact in memory before it is sent. A bucket takes no smaller parts than 5 MiB. */
const PART_BYTES = 8 * 2 ** 20
const DELETES_AT_ONCE = 8
const ID = /^[\w~.-]{22,200}$/

/** Keeps artifacts in a bucket, one object each, below a name that is made of the thread. */
export function createBucketArtifacts(bucket: Bucket): ThreadArtifacts & RestorableArtifacts {
  const restore = (threadId: string, id: string) =>
    createArtifactWriter(id, createTarget(bucket, `${folderOf(threadId)}${id}`))
  return {
    restore,
    create: ({ threadId }) => restore(threadId, randomBytes(16).toString('base64url')),
    async read(threadId, id, range) {
      if (!ID.test(id)) return undefined
      const key = `${folderOf(threadId)}${id}`
      const totalBytes = await bucket.sizeOf(key)
      if (totalBytes === undefined) return undefined
      const wanted = toFetchRange(range, totalBytes)
      const bytes = wanted.from < wanted.to ? await bucket.read(key, wanted) : Buffer.alloc(0)
      return bytes && cutSlice(bytes, wanted.from, range.maxBytes, totalBytes)
    },
    async list(threadId) {
      const folder = folderOf(threadId)
      return (await bucket.list(folder)).map(({ key }) => key.slice(folder.length))
    },
    async bytesOf(threadId) {
      const objects = await bucket.list(folderOf(threadId))
      return objects.reduce((sum, { bytes }) => sum + bytes, 0)
    },
    async delete(threadId) {
      const keys = (await bucket.list(folderOf(threadId))).map(({ key }) => key)
      const work = Array.from({ length: DELETES_AT_ONCE }, async () => {
        for (let key = keys.pop(); key !== undefined; key = keys.pop()) await bucket.delete(key)
      })
      await Promise.all(work)
    },
  }
}

/** The name of a thread may hold anything. */
const folderOf = (threadId: string): string => `${hash('sha256', threadId)}/`

function createTarget(bucket: Bucket, key: string): BlockTarget {
  let blocks: Buffer[] = []
  let bytes = 0
  let upload: Upload | undefined
  const take = (): Uint8Array<ArrayBuffer> => {
    const part = new Uint8Array(Buffer.concat(blocks))
    blocks = []
    bytes = 0
    return part
  }
  return {
    async append(block) {
      blocks.push(block)
      bytes += block.length
      if (bytes < PART_BYTES) return
      upload ??= await bucket.startUpload(key)
      await upload.add(take())
    },
    async finish() {
      if (!upload) return bucket.put(key, take())
      if (bytes > 0) await upload.add(take())
      await upload.finish()
    },
    async remove() {
      blocks = []
      // Parts of an upload that is not finished are never read. A rule of the bucket removes what is left.
      await upload?.abort().catch(() => {})
    },
  }
}
