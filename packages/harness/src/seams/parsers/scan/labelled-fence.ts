import type { FenceMark } from '../arguments/json-body.ts'
import { fenceEnd, readJsonBody } from '../arguments/json-body.ts'
import { CALL_NAMES } from './markup.ts'
import { resolveJsonBody } from '../arguments/resolve-json-body.ts'
import type { Reading, ReplySource } from './reply-source.ts'
import { skipSpace } from './reply-source.ts'
import type { CallSegment, ReadCall } from './segment.ts'
import { text } from './segment.ts'

const MAX_LINE_CHARS = 128
const OPENING = /^(`{3,}|~{3,})[ \t]*([a-z_-]*)[ \t]*\r?\n/
const UNFINISHED_OPENING = /^(?:`*|~*)[ \t]*([a-z_-]*)[ \t]*\r?$/

/**
 * Reads a fenced block that is labelled as a call, up to its closing fence or a close tag. Undefined, with nothing read,
 * when no such block begins here. A block that turns out not to be a call becomes text.
 */
export function* readLabelledFence(source: ReplySource): Reading<ReadCall | undefined> {
  const opening = yield* peekOpening(source)
  if (!opening) return undefined
  source.keep()
  source.at += opening[0].length
  const mark = opening[1] ?? ''
  const fence = { mark: mark.charAt(0), length: mark.length }
  const body = yield* readJsonBody(source, fence)
  if (body.endedBy !== 'close' && body.endedBy !== 'fence') return { segments: [text(source.release())] }
  const read = resolveJsonBody(source, body, { from: opening[0].length, name: undefined })
  const segment = read.segments[0]
  if (segment?.type !== 'calls') return { ...read, segments: [text(toText(read))] }
  if (body.endedBy === 'fence') return read
  const after = yield* readFenceEnd(source, fence)
  const whole: CallSegment = { ...segment, source: segment.source + after }
  return { ...read, segments: [whole] }
}

function toText({ segments }: ReadCall): string {
  return segments.map((segment) => (segment.type === 'text' ? segment.text : segment.source)).join('')
}

function* peekOpening(source: ReplySource): Reading<RegExpExecArray | undefined> {
  for (;;) {
    const ahead = source.text.slice(source.at, source.at + MAX_LINE_CHARS)
    const opening = OPENING.exec(ahead)
    if (opening) return CALL_NAMES.includes(opening[2] ?? '') ? opening : undefined
    const begun = UNFINISHED_OPENING.exec(ahead)
    const mayGrow =
      !source.ended && source.at + ahead.length === source.text.length && ahead.length < MAX_LINE_CHARS
    if (!mayGrow || !begun || !CALL_NAMES.some((name) => name.startsWith(begun[1] ?? ''))) return undefined
    yield
  }
}

/** A block that a tag has closed may also have a closing fence. */
function* readFenceEnd(source: ReplySource, fence: FenceMark): Reading<string> {
  source.keep()
  if (!(yield* skipSpace(source))) return source.release()
  for (;;) {
    const end = fenceEnd(source, fence)
    if (end !== 'unfinished') {
      source.at = end ?? source.at
      return source.release(end === undefined ? 0 : undefined)
    }
    yield
  }
}
