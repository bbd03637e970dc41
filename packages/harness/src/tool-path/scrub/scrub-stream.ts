import type { KnownSecrets } from './known-secrets.ts'
import { findSecrets } from './scrub-secrets.ts'
import type { Span } from './span.ts'
import { replaceSpans } from './span.ts'

/** Scrubs a text that arrives in pieces. Nothing leaves before it is certain that no secret begins in it. */
export interface ScrubStream {
  /** Takes a piece and answers what may be shown by now: whole lines, as a rule all but the last two. */
  push(chunk: string): string
  /** Answers the rest. The stream may not be used afterwards. */
  end(): string
}

/**
 * How much is held back at most. A text that fits is scrubbed exactly as if it had come in one piece; in a longer one
 * a single line or private key beyond this size may be cut, with what surrounds the cut read on both sides.
 */
export const WINDOW_CHARS = 32 * 1024

/** When a line is too long to wait for its end, this much of it stays behind, and this much is read again. */
const OVERLAP_CHARS = 4 * 1024

const KEY_FRAME = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|Private-Lines:/g
const KEY_END = /-{4,5} ?END [A-Z0-9 ]{0,40}KEY|Private-MAC:/g

/** A scrub stream for one text. */
export function createScrubStream(known?: KnownSecrets): ScrubStream {
  /** What was shown already and is kept only to be read again, then what is held back. */
  let context = ''
  let held = ''

  function release(end: number, mustCut: boolean): string {
    const text = context + held
    const spans = findSecrets(text, known)
    const cut = cutBefore(text, spans, context.length, context.length + end, mustCut)
    const shown = scrubBetween(text, spans, context.length, cut)
    held = text.slice(cut)
    // A new line begins: nothing before it is read again.
    context = text.charAt(cut - 1) === '\n' ? '' : text.slice(Math.max(0, cut - OVERLAP_CHARS), cut)
    return shown
  }

  return {
    push(chunk) {
      held += chunk
      const end = chunk.includes('\n') ? endOfLines(held) : 0
      if (held.length > WINDOW_CHARS) return release(Math.max(end, held.length - OVERLAP_CHARS), true)
      return end > 0 ? release(end, false) : ''
    },
    end() {
      const text = context + held
      const shown = scrubBetween(text, findSecrets(text, known), context.length, text.length)
      context = ''
      held = ''
      return shown
    },
  }
}

/** Scrubs a text of any length in the time of its parts. */
export function scrubLongText(text: string, known?: KnownSecrets): string {
  const stream = createScrubStream(known)
  let safe = ''
  for (let at = 0; at < text.length; at += WINDOW_CHARS)
    safe += stream.push(text.slice(at, at + WINDOW_CHARS))
  return safe + stream.end()
}

/**
 * Where the lines end that are settled: the last whole line may still be the first half of something that goes on in
 * the next, and a private key that has begun is settled by its end.
 */
function endOfLines(text: string): number {
  const lastBreak = text.lastIndexOf('\n')
  const settled = lastBreak === -1 ? 0 : text.lastIndexOf('\n', lastBreak - 1) + 1
  if (lastBreak <= 0) return 0
  const lastEnd = [...text.matchAll(KEY_END)].at(-1)?.index ?? -1
  const open = [...text.matchAll(KEY_FRAME)].find((frame) => frame.index > lastEnd)
  return open ? Math.min(settled, text.lastIndexOf('\n', open.index) + 1) : settled
}

/**
 * A cut never goes through a secret, nor between a secret and the name that gave it away. One that fills the window
 * is given up as a whole.
 */
function cutBefore(
  text: string,
  spans: readonly Span[],
  start: number,
  end: number,
  mustCut: boolean,
): number {
  let cut = end
  for (const span of spans.toSorted((a, b) => b.end - a.end)) {
    if (span.anchor < cut && span.end > cut) cut = text.lastIndexOf('\n', span.anchor) + 1
  }
  if (cut > start || !mustCut) return Math.max(cut, start)
  return Math.max(end, ...spans.filter((span) => span.start < end).map((span) => span.end))
}

/** What `text` shows between two places. A secret that began before the first of them shows there as a mark. */
function scrubBetween(text: string, spans: readonly Span[], from: number, to: number): string {
  const within = spans
    .filter((span) => span.end > from && span.start < to)
    .map((span) => ({ ...span, start: Math.max(span.start, from) - from, end: span.end - from }))
  return replaceSpans(text.slice(from, to), within)
}
