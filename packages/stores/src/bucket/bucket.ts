import { StoreError } from '@capstan/harness'
import { parseBucketAddress } from './bucket-address.ts'
import { createSendRequest } from './send-request.ts'

/** The objects of a bucket, behind a prefix. Every error is a `StoreError`. */
export interface Bucket {
  put(key: string, body: Uint8Array<ArrayBuffer>): Promise<void>
  /** In bytes. Undefined when there is no such object. */
  sizeOf(key: string): Promise<number | undefined>
  /** The bytes from `from` up to `to`, of which there must be at least one. Undefined when there is no such object. */
  read(key: string, range: { readonly from: number; readonly to: number }): Promise<Buffer | undefined>
  /** Uploads a large object in parts. It exists once `finish` settles. */
  startUpload(key: string): Promise<Upload>
  /** Those whose keys begin with this. */
  list(prefix: string, limit?: number): Promise<readonly BucketObject[]>
  delete(key: string): Promise<void>
}

export interface Upload {
  /** All but the last need at least 5 MiB. */
  add(part: Uint8Array<ArrayBuffer>): Promise<void>
  finish(): Promise<void>
  abort(): Promise<void>
}

interface BucketObject {
  readonly key: string
  readonly bytes: number
}

/** Opens the bucket of an address: see `parseBucketAddress`. Nothing is sent yet. */
export function openBucket(text: string, env: Readonly<Record<string, string | undefined>>): Bucket {
  const address = parseBucketAddress(text, env)
  const send = createSendRequest(address)
  return {
    async put(key, body) {
      await send({ method: 'PUT', key, body })
    },
    async sizeOf(key) {
      const head = await send({ method: 'HEAD', key })
      return head && Number(head.headers.get('content-length'))
    },
    async read(key, { from, to }) {
      const part = await send({ method: 'GET', key, headers: { range: `bytes=${from}-${to - 1}` } })
      return part?.body
    },
    async startUpload(key) {
      const started = await send({ method: 'POST', key, query: { uploads: '' } })
      const uploadId = unescape(textOf(started?.body, 'UploadId')[0] ?? '')
      const tags: string[] = []
      return {
        async add(body) {
          const query = { partNumber: String(tags.length + 1), uploadId }
          const sent = await send({ method: 'PUT', key, query, body })
          tags.push(sent?.headers.get('etag') ?? '')
        },
        async finish() {
          const parts = tags.map(
            (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
          )
          const body = new TextEncoder().encode(
            `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
          )
          const ended = await send({ method: 'POST', key, query: { uploadId }, body })
          // This request may fail after its status was sent.
          if (textOf(ended?.body, 'ETag').length === 0)
            throw new StoreError('io', 'The bucket for artifacts has not kept an artifact. Try again.')
        },
        async abort() {
          await send({ method: 'DELETE', key, query: { uploadId } })
        },
      }
    },
    async list(prefix, limit = Infinity) {
      const objects: BucketObject[] = []
      const start = `${address.prefix}${prefix}`
      for (let token: string | undefined = ''; token !== undefined && objects.length < limit;) {
        const query: Record<string, string> = { 'list-type': '2', prefix: start }
        if (limit < Infinity) query['max-keys'] = String(limit)
        if (token !== '') query['continuation-token'] = token
        const xml: Buffer | undefined = (await send({ method: 'GET', query }))?.body
        for (const entry of textOf(xml, 'Contents'))
          objects.push({
            key: textOf(entry, 'Key')[0]!.slice(address.prefix.length),
            bytes: Number(textOf(entry, 'Size')[0]),
          })
        const next: string | undefined = textOf(xml, 'NextContinuationToken')[0]
        token = next === undefined ? undefined : unescape(next)
      }
      return objects
    },
    async delete(key) {
      await send({ method: 'DELETE', key })
    },
  }
}

/** The contents of all elements of this name. The answers of the service have no such element within itself. */
const textOf = (xml: Buffer | string | undefined, element: string): string[] =>
  String(xml ?? '')
    .split(`<${element}>`)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf(`</${element}>`)
      return end === -1 ? [] : [part.slice(0, end)]
    })

const unescape = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES.get(name)!)

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
