import type { JsonValue } from '../../turn/json.ts'

/** Arguments that change with every request and do not change what is asked for. */
const NONCES = new Set([
  'nonce',
  'traceid',
  'spanid',
  'correlationid',
  'idempotencykey',
  'idempotencytoken',
  'dedupekey',
  'clienttoken',
  'clientrequestid',
  'cachebuster',
  'cachebust',
  'random',
  'attempt',
  'attempts',
  'attemptno',
  'try',
  'tries',
  'retry',
  'retries',
  'retrycount',
  'requestedat',
  'requesttime',
  'clienttime',
  '_',
])

/** All keys of the object that holds an argument. */
type Keys = readonly string[]

const LIKE_AN_ID = /\d[\w-]*[a-z]|[a-z][\w-]*\d|\d{5,}/i
const LIKE_NOW = /^1[5-9]\d{8}(\d{3})?$|^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/

/** With one of these keys beside it, the call is about the request itself. */
const ABOUT_IT = /^(?:decision|status|state|action|approved?|answer|comment|note|reply)$/i

const MAX_ID_CHARS = 400
const isRequestId = (value: string, keys: Keys): boolean =>
  value.length <= MAX_ID_CHARS && LIKE_AN_ID.test(value) && !keys.some((key) => ABOUT_IT.test(key))
const isNow = (value: string): boolean => LIKE_NOW.test(value)

/** These names may also name the thing asked for, so the value must look like a request id. */
const NONCES_BY_LOOK: ReadonlyMap<string, (value: string, keys: Keys) => boolean> = new Map([
  ['requestid', isRequestId],
  ['reqid', isRequestId],
  ['callid', isRequestId],
  ['trace', isRequestId],
  ['span', isRequestId],
  ['timestamp', isNow],
  ['ts', isNow],
  ['clientts', isNow],
  ['requestts', isNow],
  ['clienttimestamp', isNow],
  ['requesttimestamp', isNow],
  ['now', isNow],
  ['currenttime', isNow],
  ['localtime', isNow],
])

/** Parts of names that say it as well: `client_request_uuid`, `asOfTimestamp`, `poll_seq`. */
const NONCE_WORDS = new Set(['nonce', 'salt', 'buster', 'cachebust', 'correlation', 'idempotency', 'dedupe'])
const REQUEST_WORDS = new Set([
  'request',
  'req',
  'client',
  'call',
  'trace',
  'span',
  'invocation',
  'txn',
  'attempt',
])
const ID_WORDS = new Set(['id', 'uuid', 'guid', 'key', 'token', 'tag', 'ref'])
const MOMENT_WORDS = new Set([
  'timestamp',
  'ts',
  'stamp',
  'epoch',
  'now',
  'millis',
  'asked',
  'queried',
  'sent',
])
const COUNTERS = new Set(['seq', 'sequence', 'counter', 'count', 'tick', 'no'])
const COUNTED = new Set(['request', 'req', 'call', 'poll', 'lookup', 'query'])
const isCount = (value: string): boolean => /^\d{1,9}$/.test(value)

/** Only a counter of requests moves nothing: a bare `seq` or `tick` may be the place in a list. */
function lookByWords(words: readonly string[]): KeyPart['look'] {
  const last = words.at(-1)!
  if (words.some((word) => MOMENT_WORDS.has(word)) || words.join(' ') === 'as of') return isNow
  if (words.some((word) => REQUEST_WORDS.has(word)) && ID_WORDS.has(last)) return isRequestId
  return COUNTERS.has(last) && COUNTED.has(words.at(-2) ?? '') ? isCount : undefined
}

/** The format, the amount and the purpose of an answer. Changing them is no progress while the answer is the same. */
const MANNERS = new Set([
  'limit',
  'maxresults',
  'pagesize',
  'perpage',
  'topk',
  'verbose',
  'pretty',
  'debug',
  'refresh',
  'nocache',
  'fresh',
  'force',
  'timeout',
  'timeoutms',
  'timeoutseconds',
  'reason',
  'rationale',
  'explanation',
  'thought',
  'purpose',
])

/** The role of an argument, by its name. */
interface KeyPart {
  readonly isAlwaysNonce: boolean
  readonly look: ((value: string, keys: Keys) => boolean) | undefined
  readonly isManner: boolean
}

const parts = new Map<string, KeyPart>()

/** Names come from schemas, so there are few; the limit is for models that invent names. */
function partOf(key: string): KeyPart {
  let part = parts.get(key)
  if (!part) {
    const plain = key === '_' ? key : key.replaceAll(/[_-]/g, '').toLowerCase()
    const words = key
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase()
      .split(/[^a-z]+/)
    part = {
      isAlwaysNonce: NONCES.has(plain) || words.some((word) => NONCE_WORDS.has(word)),
      look: NONCES_BY_LOOK.get(plain) ?? lookByWords(words),
      isManner: MANNERS.has(plain),
    }
    if (parts.size < 1000) parts.set(key, part)
  }
  return part
}

/** Whether this argument is a nonce: it changes with every request. An only argument is one only by an unambiguous name. */
export function isNonce(key: string, value: JsonValue, keys: Keys): boolean {
  const { isAlwaysNonce, look } = partOf(key)
  if (isAlwaysNonce || !look || keys.length === 1) return isAlwaysNonce
  return (typeof value === 'string' || typeof value === 'number') && look(String(value), keys)
}

/** Whether this argument does not change what is asked for: a nonce, an empty option, or presentation. */
export function isCosmetic(key: string, value: JsonValue, keys: Keys): boolean {
  if (value === null || value === '') return true
  if (typeof value === 'object' && Object.keys(value).length === 0) return true
  return (keys.length > 1 && partOf(key).isManner) || isNonce(key, value, keys)
}
