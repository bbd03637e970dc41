import type { JsonValue } from '../../turn/json.ts'

/** Arguments that are new with every request and say nothing about what is asked for. */
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

/** The keys beside an argument, itself among them. */
type Keys = readonly string[]

const LIKE_AN_ID = /\d[\w-]*[a-z]|[a-z][\w-]*\d|\d{5,}/i
const LIKE_NOW = /^1[5-9]\d{8}(\d{3})?$|^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/

/** With these beside it, the request is what the call is about. */
const ABOUT_IT = /^(?:decision|status|state|action|approved?|answer|comment|note|reply)$/i

const isRequestId = (value: string, keys: Keys): boolean =>
  LIKE_AN_ID.test(value) && !keys.some((key) => ABOUT_IT.test(key))
const isNow = (value: string): boolean => LIKE_NOW.test(value)

/** The name may also be that of the thing asked for, so the value must look like one of a request. */
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

/** How an answer is shown, how much of it, and why it is wanted. No progress as long as the answer stays the same. */
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

/** What the name of an argument says about its part in a request. */
interface KeyPart {
  readonly isAlwaysNonce: boolean
  readonly look: ((value: string, keys: Keys) => boolean) | undefined
  readonly isManner: boolean
}

const parts = new Map<string, KeyPart>()

/** Names come from schemas, so there are few; the bound is for models that invent them. */
function partOf(key: string): KeyPart {
  let part = parts.get(key)
  if (!part) {
    const plain = key === '_' ? key : key.replaceAll(/[_-]/g, '').toLowerCase()
    part = { isAlwaysNonce: NONCES.has(plain), look: NONCES_BY_LOOK.get(plain), isManner: MANNERS.has(plain) }
    if (parts.size < 1000) parts.set(key, part)
  }
  return part
}

/** Whether this argument changes with every request without changing what is asked. Alone it is what is asked. */
export function isNonce(key: string, value: JsonValue, keys: Keys): boolean {
  const { isAlwaysNonce, look } = partOf(key)
  if (isAlwaysNonce || !look || keys.length === 1) return isAlwaysNonce
  return (typeof value === 'string' || typeof value === 'number') && look(String(value), keys)
}

/** Whether this argument says nothing of what is asked for: a nonce, left open, or only about the manner. */
export function isCosmetic(key: string, value: JsonValue, keys: Keys): boolean {
  if (value === null || value === '') return true
  if (typeof value === 'object' && Object.keys(value).length === 0) return true
  return (keys.length > 1 && partOf(key).isManner) || isNonce(key, value, keys)
}
