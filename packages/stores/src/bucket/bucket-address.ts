import { StoreError } from '@capstan/harness'

/** A bucket of an S3-compatible service, and who asks. */
export interface BucketAddress {
  readonly bucket: string
  /** Every key begins with it. Blank, or with a slash at its end. */
  readonly prefix: string
  /** Without a slash at its end. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

const FORM = 's3://bucket/prefix?endpoint=https://host&region=name'

/**
 * Reads an address such as `s3://bucket/prefix?endpoint=https://host&region=name`. The credentials are those of the
 * environment (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`). Throws a `StoreError` of kind `invalid`.
 */
export function parseBucketAddress(text: string, env: Environment): BucketAddress {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:') throw refuse(`is not an address such as ${FORM}`)
  if (url.username !== '' || url.password !== '')
    throw refuse('holds credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead')
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined) throw refuse(`has an option "${unknown}": only endpoint and region are known`)
  const bucket = url.hostname
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) throw refuse('names no bucket')
  const path = partsOf(url).join('/')
  if (!/^[\w./-]*$/.test(path) || path.split('/').some((part) => part === '.' || part === '..'))
    throw refuse('has a prefix with other characters than letters, digits, dots, dashes and slashes')
  const region =
    url.searchParams.get('region') || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'
  const accessKeyId = env['AWS_ACCESS_KEY_ID']?.trim()
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY']?.trim()
  if (!accessKeyId || !secretAccessKey)
    throw refuse('needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    endpoint: readEndpoint(url.searchParams.get('endpoint') || env['AWS_ENDPOINT_URL_S3'], region),
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN']?.trim() || undefined,
  }
}

function readEndpoint(given: string | undefined, region: string): string {
  const url = URL.parse(given ?? `https://s3.${region}.amazonaws.com`)
  const isPlain = url && /^https?:$/.test(url.protocol) && url.search === '' && url.username === ''
  if (!isPlain) throw refuse('has an endpoint that is no address such as https://host')
  return [url.origin, ...partsOf(url)].join('/')
}

const refuse = (why: string): StoreError =>
  new StoreError('invalid', `The address of the bucket for artifacts ${why}.`)

const partsOf = ({ pathname }: URL): string[] => pathname.split('/').filter((part) => part !== '')
