import type { CallSegment, Segment } from './segment.ts'
import { text } from './segment.ts'

/**
 * The segments of a reply in order. A call behind an element that quotes is in doubt, because what is quoted may
 * hold a close tag; then everything behind it waits for the end of the reply.
 */
export class SegmentQueue {
  #ready: Segment[] = []
  #doubtful: Segment[] | undefined

  addText(written: string): void {
    if (written !== '') this.#add(text(written))
  }

  addCalls(segment: CallSegment, isDoubtful: boolean): void {
    if (isDoubtful) this.#doubtful ??= []
    this.#add(segment)
  }

  /** The calls in doubt are none. */
  refute(): void {
    this.#ready.push(...(this.#doubtful ?? []).map(toText))
    this.#doubtful = undefined
  }

  /** The reply has ended: the calls in doubt count from the last close tag of one of these elements on. */
  settle(elements: readonly string[]): void {
    const segments = this.#doubtful
    if (!segments) return
    const lastClose = findLast(
      segments.map(sourceOf).join(''),
      new RegExp(`</(?:${elements.join('|')})`, 'gi'),
    )
    let from = 0
    for (const segment of segments) {
      this.#ready.push(from > lastClose ? segment : toText(segment))
      from += sourceOf(segment).length
    }
    this.#doubtful = undefined
  }

  take(): readonly Segment[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #add(segment: Segment): void {
    const segments = this.#doubtful ?? this.#ready
    segments.push(segment)
  }
}

function sourceOf(segment: Segment): string {
  return segment.type === 'text' ? segment.text : segment.source
}

function toText(segment: Segment): Segment {
  return segment.type === 'text' ? segment : text(segment.source)
}

function findLast(written: string, pattern: RegExp): number {
  let last = -1
  for (const { index } of written.matchAll(pattern)) last = index
  return last
}
