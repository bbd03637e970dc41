import type { ParsedCall } from '../../seams.ts'
import type { JsonBody, Span } from './json-body.ts'
import type { ReplySource } from '../scan/reply-source.ts'
import type { ReadCall, Segment } from '../scan/segment.ts'
import { text, textAround } from '../scan/segment.ts'
import { asMalformed, CUT_OFF, isWholeCall, readCallText } from '../to-calls.ts'

/** Where the body begins, and the tool when the tag names it. */
interface Place {
  readonly from: number
  readonly name: string | undefined
}

/** Decides which values between the marks of a call are calls. */
export function resolveJsonBody(source: ReplySource, body: JsonBody, place: Place): ReadCall {
  const written = source.release()
  if (body.endedBy === 'markup' || body.endedBy === 'reply') return resolveUnclosed(written, body, place)
  if (body.broken !== undefined) return resolveBroken(written, body, body.broken, place.name)
  const calls = toCalls(written, body, place)
  if (!calls) return { segments: textAround(body.values, written) }
  return { segments: [{ type: 'calls', calls, source: written }] }
}

function toCalls(written: string, body: JsonBody, { from, name }: Place): readonly ParsedCall[] | undefined {
  const values = body.values.filter((value) => mayBeCall(value, written))
  const [first] = values
  if (!first) return undefined
  if (hasStrayBrackets(written.slice(0, body.to), body.values, from)) {
    return asMalformed(written.slice(first.from, body.to), 'The call goes on behind its last bracket.', name)
  }
  const texts = values.map((value) => written.slice(value.from, value.to))
  const read = texts.map((one) => readCallText(one, name))
  if (texts.length === 1) return read[0]
  // An object behind a call without arguments may be its arguments.
  const isCertain = (index: number): boolean =>
    index === 0 || isWholeCall(texts[index]!) || isWholeCall(texts[index - 1]!)
  const calls = read.flatMap((found, index) => (found && isCertain(index) ? [found] : []))
  return name === undefined && calls.length === read.length
    ? calls.flat()
    : asMalformed(written.slice(first.from, body.to), RUN_TOGETHER, name)
}

const RUN_TOGETHER =
  'The call holds several JSON objects, and it is not certain what they mean. Write one object per tag: ' +
  '<tool_call>{"name": "tool_name", "arguments": {"key": "value"}}</tool_call>.'

function resolveBroken(written: string, body: JsonBody, broken: number, name: string | undefined): ReadCall {
  const problem = 'The call is not valid JSON (its brackets or quotes do not match).'
  const calls = asMalformed(written.slice(broken, body.to), problem, name)
  const segment: Segment = calls
    ? { type: 'calls', calls, source: written }
    : { ...text(written), isOpaque: true }
  return { segments: [segment], isLost: true }
}

const ONLY_A_FENCE_BEFORE = /^\s*(```\w*\s*)?$/
const NO_WORDS_ON_THE_LINE = /^[ \t]*(?:\r?\n|<|$)/
const CUT_CLOSE_TAG = /^\s*<\/?[\w-]*$/
const FENCE_END = /^\s*```/

/** A call that the end of the reply cut off. It is reported to the model under its name. */
function resolveCutOff(written: string, body: JsonBody, { from, name }: Place): ReadCall | undefined {
  const { broken, values, endedBy } = body
  if (endedBy !== 'reply' || broken === undefined || values.length > 0) return undefined
  if (!ONLY_A_FENCE_BEFORE.test(written.slice(from, broken))) return undefined
  const calls = asMalformed(written.slice(broken), CUT_OFF, name)
  return calls && { segments: [{ type: 'calls', calls, source: written }], isLost: true }
}

/**
 * Without a close tag, only a complete call directly after the tag counts, and only when no text follows on its line.
 * Anything else may be text about calls.
 */
function resolveUnclosed(written: string, body: JsonBody, place: Place): ReadCall {
  const cutOff = resolveCutOff(written, body, place)
  if (cutOff) return cutOff
  const { from, name } = place
  const asText: ReadCall = {
    segments: textAround(body.values, written),
    ...(body.broken === undefined ? undefined : { isLost: true as const }),
  }
  const first = body.values[0]
  if (!first || body.broken !== undefined || !mayBeCall(first, written)) return asText
  const before = ONLY_A_FENCE_BEFORE.exec(written.slice(from, first.from))
  const fenceEnd = before?.[1] === undefined ? null : FENCE_END.exec(written.slice(first.to))
  const to = first.to + (fenceEnd?.[0].length ?? 0)
  if (!before || !NO_WORDS_ON_THE_LINE.test(written.slice(to, body.to))) return asText
  const calls = readCallText(written.slice(first.from, first.to), name)
  if (!calls) return asText
  if (CUT_CLOSE_TAG.test(written.slice(to))) return { segments: [{ type: 'calls', calls, source: written }] }
  const rest = body.values.slice(1).map((value) => ({ ...value, from: value.from - to, to: value.to - to }))
  return {
    segments: [
      { type: 'calls', calls, source: written.slice(0, to) },
      ...textAround(rest, written.slice(to)),
    ],
  }
}

/** Whether the value is an object or a list of objects. */
function mayBeCall({ from, to, isMention }: Span, written: string): boolean {
  return !isMention && /^(?:\{|\[\s*\{)/.test(written.slice(from, Math.min(to, from + 256)))
}

/** A comment that is never closed is matched to the end, so that the next one is not searched again, and stays. */
const NOT_TEXT = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[|\]\]>/g
const isOpenComment = (found: string): boolean => found.startsWith('<!--') && !found.endsWith('-->')

/** A bracket closed too early leaves a part of the call outside. One extra bracket at the end is harmless. */
function hasStrayBrackets(written: string, values: readonly Span[], from: number): boolean {
  let around = ''
  let at = from
  for (const value of values) {
    around += written.slice(at, value.from)
    at = value.to
  }
  around = (around + written.slice(at)).replaceAll(NOT_TEXT, (found) => (isOpenComment(found) ? found : ''))
  return /[\]}]/.test(around) && /[^\s\]}]/.test(around)
}
