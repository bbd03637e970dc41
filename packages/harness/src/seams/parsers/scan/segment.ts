import type { ParsedCall } from '../../seams.ts'
import type { Span } from '../arguments/json-body.ts'

/** A reply is a sequence of these. */
export type Segment = TextSegment | CallSegment

export interface TextSegment {
  readonly type: 'text'
  readonly text: string
  /** Data that was read as a whole: what looks like Markdown in it is none. */
  readonly isOpaque?: true
}

export interface CallSegment {
  readonly type: 'calls'
  /** None for a close tag that was left over. */
  readonly calls: readonly ParsedCall[]
  /** As it was written. */
  readonly source: string
  /** What the model said beside the calls, where both came in one envelope. */
  readonly text?: string
}

/** A part of a reply that was read as a possible call. */
export interface ReadCall {
  readonly segments: readonly Segment[]
  /** Where it ends is a guess. What follows may be part of its arguments, so nothing in it may run. */
  readonly isLost?: true
}

export function text(written: string): TextSegment {
  return { type: 'text', text: written }
}

/** Text with data in it. */
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
