import { isRecord } from '../turn/json.ts'

/** The reason in a JSON answer: the text of its error fields, and a status code among them. */
export interface JsonReason {
  readonly words: string
  readonly status: number | undefined
}

const MAX_DEPTH = 6
const MAX_FIELDS = 40
const MAX_ITEMS = 8

// Field names are compared in lower case without dashes and underscores.
const ERROR_FIELD =
  /^(?:err(?:or)?s?(?:no|msg|messages?|codes?|info|details?|desc|description|text|type|name|reason|summary)?|fault(?:string|code)?|exception(?:message)?|failures?|iserror)$/
const isErrorField = (normalKey: string): boolean => ERROR_FIELD.test(normalKey)
const REASON_FIELDS = new Set(
  (
    'message messages msg issue issues detail details reason reasons cause causes code type status statuscode statustext title ' +
    'name category description hint info stderr declinecode param data extensions problem response body errorinfo ' +
    'retryafter retrydelay policyname subcode content text'
  ).split(' '),
)
const isReasonField = (normalKey: string): boolean =>
  REASON_FIELDS.has(normalKey) || MESSAGE_FIELD.test(normalKey) || isErrorField(normalKey)
// Only the fields of a failure count, these are the payload beside it.
const REASON_ONLY_IN_ERROR = new Set(
  'name title data content text body response description info param'.split(' '),
)
const NO_REASON_FIELDS = new Set(
  'documentationurl helpurl url href requestid traceid correlationid schema properties stack stacktrace trace id'.split(
    ' ',
  ),
)
const STATUS_FIELDS = new Set(
  'status statuscode code httpstatus httpcode httpstatuscode errorcode'.split(' '),
)

/** Pure; never throws. An answer without an error field gives no words. */
export function readJsonReason(value: object): JsonReason {
  const found: { words: string[]; status: number | undefined } = { words: [], status: undefined }
  for (const item of failuresIn(value))
    if (reportsFailure(item))
      collect(
        item,
        found,
        0,
        isFailure(item) || isProblem(item) || (isRecord(item) && isListOfComplaints(item)),
      )
  return { words: found.words.join('\n'), status: found.status }
}

/** The value, its items, or the values it wraps: the first that reports a failure. */
function failuresIn(value: object): readonly unknown[] {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]
  if (items.some(reportsFailure)) return items
  return items.flatMap((item) =>
    isRecord(item) && !isSchema(item) ? Object.values(item).slice(0, MAX_FIELDS).filter(reportsProblem) : [],
  )
}

const isSchema = (value: Record<string, unknown>): boolean =>
  'type' in value && ('properties' in value || 'items' in value)

function hasErrorField(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.keys(value).some((key) => isErrorField(normal(key)) && hasContent(value, normal(key)))
  )
}

const reportsProblem = (value: unknown): boolean => hasErrorField(value) || isProblem(value)

const normal = (key: string): string => key.toLowerCase().replace(/[-_\s]/g, '')

function isFailure(value: unknown): boolean {
  if (!isRecord(value)) return false
  return (
    value['isError'] === true ||
    value['ok'] === false ||
    value['success'] === false ||
    value['successful'] === false ||
    [value['status'], value['type'], value['object'], value['level'], value['severity']].some(
      (word) => typeof word === 'string' && /^(?:error|fail(?:ed|ure)?|fatal)$/i.test(word),
    )
  )
}

// A code beside a message is how services without an error field report one.
function isProblem(value: unknown): boolean {
  if (!isRecord(value)) return false
  const keys = Object.keys(value).slice(0, MAX_FIELDS).map(normal)
  return (
    keys.some((key) => MESSAGE_FIELD.test(key)) &&
    keys.some((key) => CODE_FIELD.test(key) && hasContent(value, key))
  )
}

// `statusMsg` beside `statusCode`, `info` beside `infocode`.
const MESSAGE_FIELD = /^(?:status|ret|result|return|resp|sub|biz)?(?:msg|message)$|^info$/
const CODE_FIELD = /^(?:status|ret|result|return|resp|sub|biz|info)?code$|^status$/

function reportsFailure(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (isFailure(value) || isProblem(value)) return true
  const keys = new Set(Object.keys(value).slice(0, MAX_FIELDS).map(normal))
  if ([...keys].some((key) => isErrorField(key) && hasContent(value, key))) return true
  if (isSchema(value)) return false
  if (isListOfComplaints(value)) return true
  const hasReason = ['message', 'msg', 'detail', 'reason', 'details'].some((key) => keys.has(key))
  if (!hasReason) return keys.has('title') ? keys.has('status') : keys.has('code') && keys.size === 1
  return keys.has('code') || keys.has('status') || !MESSAGE_OF_A_PERSON.some((key) => keys.has(key))
}

// `{"email":["Enter a valid address."]}`: fields, and what is wrong with each.
function isListOfComplaints(value: Record<string, unknown>): boolean {
  const complaints = Object.values(value)
  return (
    complaints.length > 0 &&
    complaints.every(
      (list) =>
        Array.isArray(list) &&
        list.length > 0 &&
        list.every((word) => typeof word === 'string' && isSentence(word)),
    )
  )
}

function isSentence(word: string): boolean {
  const line = word.slice(word.lastIndexOf('\n') + 1)
  return line.endsWith('.') && /\w \w/.test(line)
}

const MESSAGE_OF_A_PERSON = ['author', 'from', 'user', 'sender', 'createdat', 'timestamp']

// What stands in an error field of an answer that went well.
const NO_ERROR = /^(?:|0+|ok|none|success)$/i

function hasContent(value: Record<string, unknown>, normalKey: string): boolean {
  return Object.entries(value).some(
    ([key, inner]) =>
      normal(key) === normalKey &&
      inner !== null &&
      inner !== false &&
      inner !== 0 &&
      !(typeof inner === 'string' && NO_ERROR.test(inner)) &&
      !(Array.isArray(inner) && inner.length === 0),
  )
}

function collect(
  value: unknown,
  found: { words: string[]; status: number | undefined },
  depth: number,
  inError: boolean,
): void {
  if (typeof value === 'string') {
    if (value !== '') found.words.push(value)
    return
  }
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_ITEMS)) collect(item, found, depth + 1, inError)
    return
  }
  for (const [key, inner] of Object.entries(value).slice(0, MAX_FIELDS)) {
    const field = normal(key)
    if (NO_REASON_FIELDS.has(field)) continue
    if (STATUS_FIELDS.has(field) && isStatus(inner)) found.status ??= Number(inner)
    else if (typeof inner === 'number') {
      if (isReasonField(field)) found.words.push(`${key}: ${inner}`)
    } else if (isReasonField(field) && (inError || !REASON_ONLY_IN_ERROR.has(field))) {
      collect(inner, found, depth + 1, inError || isErrorField(field))
    } else if (inError && typeof inner !== 'boolean') {
      const before = found.words.length
      collect(inner, found, depth + 1, true)
      if (found.words.length > before) found.words[before] = `${key}: ${found.words[before]}`
    }
  }
}

function isStatus(value: unknown): boolean {
  return (typeof value === 'number' || typeof value === 'string') && /^[45]\d\d$/.test(String(value))
}
