import type { ParsedCall } from '../../seams.ts'
import type { Span } from '../arguments/json-body.ts'

/** A part of a reply. A reply is a sequence of segments. */
export type Segment = TextSegment | CallSegment

/** Text of a reply. */
export interface TextSegment {
  readonly type: 'text'
  readonly text: string
  /** Data in which nothing counts as Markdown. */
  readonly isOpaque?: true
}

/** Calls of a reply, with the text they were written as. */
export interface CallSegment {
  readonly type: 'calls'
  /** Empty for a surplus close tag. */
  readonly calls: readonly ParsedCall[]
  /** The text as written. */
  readonly source: string
  /** The text beside the calls, when one envelope holds both. */
  readonly text?: string
}

/** A part of a reply that was read as a possible call. */
export interface ReadCall {
  readonly segments: readonly Segment[]
  /** Its end is uncertain. The following text may be part of its arguments, so no call in it may run. */
  readonly isLost?: true
}

/** A text segment. */
export function text(written: string): TextSegment {
  return { type: 'text', text: written }
}

/** Segments of a text that contains JSON values; the values are opaque. */
export function textAround(values: readonly Span[], written: string): readonly Segment[] {
  const segments: Segment[] = []
  let at = 0
  for (const { from, to } of values) {
    segments.push(text(written.slice(at, from)), {
      type: 'text',
      text: written.slice(from, to),
      isOpaque: true,
    })
    at = to
  }
  return [...segments, text(written.slice(at))]
}
