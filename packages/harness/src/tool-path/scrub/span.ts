/** A stretch of the text and what stands there instead. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly mark: string
  /** Where the reading began that led to it. */
  readonly anchor: number
}

/** What stands for a secret. Stable, and never a part of the secret itself. */
export const toMark = (kind?: string): string => (kind === undefined ? '[secret]' : `[secret:${kind}]`)

/** The start of every mark. */
export const MARK_START = '[secret'
/** Matches a mark in a text that was scrubbed before. */
export const MARK = /\[secret(?::[a-z0-9-]{1,40})?\]/y

/** Replaces the spans of a text by their marks. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  const ordered = spans.toSorted((a, b) => a.start - b.start || b.end - a.end)
  let result = ''
  let at = 0
  for (const { start, end, mark } of ordered) {
    // What overlaps an earlier span goes with it: nothing of either may stay.
    if (start >= at) result += text.slice(at, start) + mark
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}
