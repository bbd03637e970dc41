import type { Message } from './message.ts'

/** A message as it is stored: plain JSON with a format version. */
export interface StoredMessage {
  readonly v: typeof VERSION
  readonly message: Message
}

const VERSION = 1

/** The message in its stored form. */
export const toStored = (message: Message): StoredMessage => ({ v: VERSION, message })

/**
 * Parses a stored message. Throws a `TypeError` that names the invalid field, or the newer version that wrote it: half a
 * conversation is worse than none.
 */
export function parseStored(value: unknown): Message {
  const { v, message } = asRecord(value, 'it')
  if (typeof v === 'number' && v > VERSION) {
    throw new TypeError(`This message was stored by a newer version (${v}); this one reads up to ${VERSION}.`)
  }
  if (v !== VERSION) refuse('v', `${VERSION}`)
  checkMessage(message)
  return message
}

function checkMessage(value: unknown): asserts value is Message {
  const { role, ...fields } = asRecord(value, 'message')
  switch (role) {
    case 'user':
      checkList(fields['parts'], 'message.parts', checkUserPart)
      checkOptional(fields['preface'], 'message.preface', checkText)
      checkOptional(fields['delivery'], 'message.delivery', oneOf('steer', 'follow-up'))
      checkOptional(fields['queueId'], 'message.queueId', checkText)
      return
    case 'assistant':
      checkList(fields['parts'], 'message.parts', checkAssistantPart)
      checkOptional(fields['raw'], 'message.raw', checkText)
      checkOptional(fields['cut'], 'message.cut', oneOf(true))
      return
    case 'tool':
      for (const key of ['callId', 'tool', 'text']) checkText(fields[key], `message.${key}`)
      oneOf(true, false)(fields['ok'], 'message.ok')
      checkOptional(fields['media'], 'message.media', (media, at) => checkList(media, at, checkMedia))
      checkOptional(fields['inText'], 'message.inText', oneOf(true))
      checkOptional(fields['from'], 'message.from', checkText)
      checkOptional(fields['own'], 'message.own', checkOwnWords)
      checkOptional(fields['framed'], 'message.framed', oneOf(true))
      return
    case 'notice':
      checkText(fields['text'], 'message.text')
      checkOptional(fields['fact'], 'message.fact', checkFact)
      checkOptional(fields['summary'], 'message.summary', checkSummary)
      checkOptional(fields['report'], 'message.report', checkReport)
      return
    default:
      refuse('message.role', 'user, assistant, tool or notice')
  }
}

type Check = (value: unknown, at: string) => void

const checkUserPart: Check = (value, at) => {
  if (asRecord(value, at)['type'] === 'text') checkWords(value, at)
  else checkMedia(value, at)
}

const checkAssistantPart: Check = (value, at) => {
  const { type, call } = asRecord(value, at)
  if (type === 'call') checkCall(call, `${at}.call`)
  else {
    oneOf('text', 'reasoning')(type, `${at}.type`)
    checkWords(value, at)
  }
}

const checkWords: Check = (value, at) => {
  const { text, extras } = asRecord(value, at)
  checkText(text, `${at}.text`)
  checkOptional(extras, `${at}.extras`, checkExtras)
}

const checkMedia: Check = (value, at) => {
  const { type, ref, mediaType, bytes, name } = asRecord(value, at)
  oneOf('image', 'file')(type, `${at}.type`)
  checkText(ref, `${at}.ref`)
  checkText(mediaType, `${at}.mediaType`)
  if (typeof bytes !== 'number') refuse(`${at}.bytes`, 'a number')
  checkOptional(name, `${at}.name`, checkText)
}

const checkCall: Check = (value, at) => {
  const { id, tool, arguments: args, malformed, extras } = asRecord(value, at)
  checkText(id, `${at}.id`)
  checkText(tool, `${at}.tool`)
  asRecord(args, `${at}.arguments`)
  checkOptional(malformed, `${at}.malformed`, checkMalformed)
  checkOptional(extras, `${at}.extras`, checkExtras)
}

const checkMalformed: Check = (value, at) => {
  const { raw, problem } = asRecord(value, at)
  checkText(raw, `${at}.raw`)
  checkText(problem, `${at}.problem`)
}

const checkOwnWords: Check = (value, at) => {
  const { start, end } = asRecord(value, at)
  for (const count of [start, end]) if (typeof count !== 'number') refuse(at, 'two numbers')
}

const checkSummary: Check = (value, at) => {
  const { text, request } = asRecord(value, at)
  checkText(text, `${at}.text`)
  checkOptional(request, `${at}.request`, checkText)
}

// The kind is only text here: a newer version may know more kinds, and no request depends on it.
const checkReport: Check = (value, at) => {
  const { runId, read } = asRecord(value, at)
  checkText(runId, `${at}.runId`)
  checkOptional(read, `${at}.read`, (fact, where) => void asRecord(fact, where))
}

const checkFact: Check = (value, at) => {
  const { kind, name, slug } = asRecord(value, at)
  checkText(kind, `${at}.kind`)
  checkText(name, `${at}.name`)
  checkOptional(slug, `${at}.slug`, checkText)
}

const checkExtras: Check = (value, at) => {
  for (const [provider, extras] of Object.entries(asRecord(value, at))) asRecord(extras, `${at}.${provider}`)
}

const checkText: Check = (value, at) => {
  if (typeof value !== 'string') refuse(at, 'text')
}

const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value, at) => {
    if (!allowed.includes(value)) refuse(at, allowed.join(' or '))
  }

function checkOptional(value: unknown, at: string, check: Check): void {
  if (value !== undefined) check(value, at)
}

function checkList(value: unknown, at: string, check: Check): void {
  if (!Array.isArray(value)) refuse(at, 'a list')
  for (const [index, one] of value.entries()) check(one, `${at}[${index}]`)
}

function asRecord(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(at, 'an object')
  return value as Readonly<Record<string, unknown>>
}

function refuse(at: string, expected: string): never {
  throw new TypeError(`A stored message is malformed: ${at} must be ${expected}.`)
}
