import { createHmac, hash } from 'node:crypto'
import type { BucketAddress } from './bucket-address.ts'

/** A request to a bucket, before it is signed. */
export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Behind the prefix. Absent: the bucket itself. Only characters that need no encoding. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Signs a request with AWS Signature Version 4. The body is covered by its hash. */
export function signRequest(address: BucketAddress, request: BucketRequest, now: Date): SignedRequest {
  const { method, key, query = {}, body = new Uint8Array() } = request
  const path = key === undefined ? address.bucket : `${address.bucket}/${address.prefix}${key}`
  const url = new URL(`${address.endpoint}/${path}`)
  url.search = toQuery(query)
  const time = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const signed: Readonly<Record<string, string>> = {
    host: url.host,
    'x-amz-content-sha256': hash('sha256', body),
    'x-amz-date': time,
    ...(address.sessionToken !== undefined && { 'x-amz-security-token': address.sessionToken }),
  }
  const names = Object.keys(signed).join(';')
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...Object.entries(signed).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    signed['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${address.region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical)].join('\n')
  const signature = hmac(signingKey(address, day), text).toString('hex')
  const { host: _sentByFetch, ...headers } = signed
  const credential = `${address.accessKeyId}/${scope}`
  return {
    url: url.href,
    headers: {
      ...request.headers,
      ...headers,
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
    },
  }
}

const signingKey = ({ secretAccessKey, region }: BucketAddress, day: string): Buffer =>
  [day, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`))

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Sorted, and encoded as the signature wants it. */
const toQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
