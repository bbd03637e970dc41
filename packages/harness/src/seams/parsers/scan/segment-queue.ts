import type { CallSegment, Segment } from './segment.ts'
import { text } from './segment.ts'

/**
 * Queues the segments of a reply in order. When a call may be part of a quotation, it and everything after it wait for
 * the end of the reply.
 */
export class SegmentQueue {
  #ready: Segment[] = []
  #doubtful: Segment[] | undefined
  #elements = new Set<string>()
  #isLost = false

  addText(written: string): void {
    if (written !== '') this.#add(text(written))
  }

  /** `elements`: if one of these is closed after the calls, the calls were quoted. */
  addCalls(segment: CallSegment, elements: readonly string[]): void {
    if (elements.length > 0) this.#doubtful ??= []
    for (const element of elements) this.#elements.add(element)
    this.#add(segment)
  }

  /**
   * Notes that the end of a call is uncertain, so the following text may be part of its arguments. Later calls count only
   * if nothing but calls follows up to the end of the reply.
   */
  lose(): void {
    if (this.#isLost) return
    this.#release(() => false)
    this.#doubtful = []
    this.#isLost = true
  }

  /** Decides the waiting segments at the end of the reply. */
  settle(): void {
    const segments = this.#doubtful
    if (!segments) return
    if (this.#isLost) {
      const isOnlyCalls = segments.every((segment) => segment.type === 'calls' || segment.text.trim() === '')
      return this.#release(() => isOnlyCalls)
    }
    const shown = segments
      .map((one) => (one.type === 'text' ? one.text : ' '.repeat(one.source.length)))
      .join('')
    const closeTag = new RegExp(`</(?:${[...this.#elements].join('|')})(?![\\w-])`, 'gi')
    const lastClose = [...shown.matchAll(closeTag)].at(-1)?.index ?? -1
    this.#release((from) => from > lastClose)
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

  /** Calls that do not count become text again. */
  #release(counts: (from: number) => boolean): void {
    let from = 0
    for (const segment of this.#doubtful ?? []) {
      const source = segment.type === 'text' ? segment.text : segment.source
      this.#ready.push(counts(from) ? segment : text(source))
      from += source.length
    }
    this.#doubtful = undefined
  }
}
