import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '@capstan/harness'
import type { BucketAddress } from './bucket-address.ts'
import { signRequest } from './sign-request.ts'
import type { BucketRequest } from './sign-request.ts'

/** Sends a request. Undefined when there is no such object. Throws a `StoreError`. */
export type SendRequest = (request: BucketRequest) => Promise<BucketResponse | undefined>

interface BucketResponse {
  readonly headers: Headers
  readonly body: Buffer
}

const MAX_ATTEMPTS = 4
const FIRST_PAUSE_MS = 100
const TIMEOUT_MS = 60_000

/** Requests that the service could not answer are repeated: sent twice, each does the same as once. */
export function createSendRequest(address: BucketAddress): SendRequest {
  const attempt = async (request: BucketRequest): Promise<BucketResponse | undefined> => {
    // Signed each time: a signature is good for some minutes.
    const { url, headers } = signRequest(address, request, new Date())
    const { method, body } = request
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body }),
    })
    const answer = Buffer.from(await response.arrayBuffer())
    if (response.ok) return { headers: response.headers, body: answer }
    const code = /<Code>(\w+)<\/Code>/.exec(answer.toString())?.[1] ?? ''
    if (response.status === 404 && code !== 'NoSuchBucket') return undefined
    throw toStoreError(address, response.status, code)
  }
  return async (request) => {
    for (let count = 1; ; count++) {
      try {
        return await attempt(request)
      } catch (error) {
        const isHopeless = error instanceof StoreError && !(error instanceof BusyBucket)
        if (isHopeless || count === MAX_ATTEMPTS)
          throw error instanceof StoreError ? error : unreachable(error)
        await sleep(FIRST_PAUSE_MS * 2 ** (count - 1))
      }
    }
  }
}

/** The service may answer the same request a moment later. */
class BusyBucket extends StoreError {}

const unreachable = (cause: unknown): StoreError =>
  new StoreError(
    'io',
    'The bucket for artifacts cannot be reached. It is tried again with the next request.',
    {
      cause,
    },
  )

function toStoreError({ bucket }: BucketAddress, status: number, code: string): StoreError {
  const answer = `(${[status, code].filter(Boolean).join(' ')})`
  if (code === 'NoSuchBucket')
    return new StoreError('io', `There is no bucket ${bucket}. Create it first ${answer}.`)
  if (status === 507 || /Quota|StorageFull/i.test(code))
    return new StoreError('full', `The bucket ${bucket} is full: nothing was stored ${answer}.`)
  if (status === 429 || status >= 500)
    return new BusyBucket('io', `The service of the bucket ${bucket} is not available ${answer}.`)
  if (status === 401 || status === 403)
    return new StoreError(
      'io',
      `The bucket ${bucket} refused the credentials, or what they may do ${answer}.`,
    )
  return new StoreError('invalid', `The bucket ${bucket} refused a request ${answer}.`)
}
