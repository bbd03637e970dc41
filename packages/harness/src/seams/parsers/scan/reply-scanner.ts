import type { CallSyntax } from './call-element.ts'
import { readCallElement } from './call-element.ts'
import { readLabelledFence } from './labelled-fence.ts'
import type { Markup } from './markup.ts'
import { peekMarkup } from './markup.ts'
import { QuotedRegions } from './quoted-regions.ts'
import type { Reading } from './reply-source.ts'
import { ReplySource, skipSpace } from './reply-source.ts'
import type { CallSegment, ReadCall, Segment, TextSegment } from './segment.ts'
import { SegmentQueue } from './segment-queue.ts'
import { readWholeReply } from './whole-reply.ts'

/** Which forms of calls a scan reads, also without any tag. */
export interface ScanOptions extends CallSyntax {
  /** Whether a reply that consists only of JSON may be calls. */
  readonly readsWholeReply: boolean
}

const LESS = 0x3c
const BACKTICK = 0x60
const TILDE = 0x7e

/**
 * Separates the calls of a reply from its text while it is streamed. Each push returns the segments that are certain so
 * far. The segments do not depend on how the reply is split into deltas. Never throws; takes linear time.
 */
export class ReplyScanner {
  #source = new ReplySource()
  #queue = new SegmentQueue()
  #regions = new QuotedRegions()
  #options: ScanOptions
  #scan: Generator<undefined, void, undefined>
  /** `start` and `call`: only white space has followed the start of the reply, or a call. */
  #since: 'start' | 'call' | 'text' = 'start'
  /** Quoting elements that were closed. One that its own content closed too early is closed a second time. */
  #closedQuotes = new Set<string>()
  #isLost = false

  constructor(options: ScanOptions) {
    this.#options = options
    this.#scan = this.#read()
  }

  push(delta: string): readonly Segment[] {
    this.#source.push(delta)
    this.#scan.next()
    return this.#queue.take()
  }

  end(): readonly Segment[] {
    this.#source.ended = true
    this.#scan.next()
    this.#queue.settle()
    return this.#queue.take()
  }

  *#read(): Reading<void> {
    const source = this.#source
    yield* this.#readStart()
    for (;;) {
      this.#passPlain()
      if (source.at < source.text.length) {
        if (source.text.charCodeAt(source.at) === LESS) yield* this.#readMarkup()
        else yield* this.#readFence()
      } else if (source.ended) return
      else yield
    }
  }

  *#readStart(): Reading<void> {
    const source = this.#source
    source.keep()
    const hasText = yield* skipSpace(source)
    this.#add({ type: 'text', text: source.release() })
    const first = source.text.charAt(source.at)
    if (!hasText || !this.#options.readsWholeReply || (first !== '{' && first !== '[')) return
    const segment = yield* readWholeReply(source, this.#options.tools)
    if (segment) this.#add(segment)
  }

  /** Passes text up to the next place where markup or a fence may begin. */
  #passPlain(): void {
    const { text, at } = this.#source
    const regions = this.#regions
    let end = at
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === LESS && !regions.inFence) break
      if ((code === BACKTICK || code === TILDE) && regions.mayOpenFence) break
      regions.feed(code)
    }
    this.#show(end)
  }

  *#readFence(): Reading<void> {
    const read = yield* readLabelledFence(this.#source)
    if (read) this.#addRead(read)
    else this.#pass(this.#source.at + 1)
  }

  *#readMarkup(): Reading<void> {
    const source = this.#source
    const isCode = this.#regions.inInlineCode || this.#regions.inFence
    const markup = yield* peekMarkup(source)
    if (!markup) return this.#pass(source.at + 1)
    switch (markup.type) {
      case 'call-open':
      case 'wrapper-open':
        if (this.#regions.quotes(this.#since !== 'text')) this.#pass(markup.end)
        else this.#addRead(yield* readCallElement(source, markup, this.#options))
        return
      case 'call-close':
      case 'wrapper-close':
        if (this.#since !== 'call' || this.#isLost || this.#regions.quotes(true)) this.#pass(markup.end)
        else this.#dropCloseTag(markup.end)
        return
      case 'quote-open':
        if (markup.selfClosing || (isCode && (yield* this.#isOnlyMentioned(markup))))
          this.#pass(source.at + 1)
        else yield* this.#passElement(markup.name)
        return
      case 'quote-close':
        this.#pass(markup.end)
        return
      case 'comment':
        if (isCode) this.#pass(markup.end)
        else yield* this.#passTo('-->')
        return
      case 'cdata':
        if (isCode) this.#pass(markup.end)
        else yield* this.#passTo(']]>')
    }
  }

  /** Drops a close tag that belongs to a call already read. */
  #dropCloseTag(end: number): void {
    const source = this.#source
    this.#queue.addCalls({ type: 'calls', calls: [], source: source.text.slice(source.at, end) }, [])
    source.at = end
  }

  /** Inline code that ends directly after the tag mentions the element and does not open it. */
  *#isOnlyMentioned(markup: Markup): Reading<boolean> {
    const source = this.#source
    const length = markup.end - source.at
    while (source.at + length >= source.text.length && !source.ended) yield
    return source.text.charCodeAt(source.at + length) === BACKTICK
  }

  /** Shows a quoting element up to its close tag. */
  *#passElement(name: string): Reading<void> {
    const source = this.#source
    let depth = 0
    for (;;) {
      const next = source.text.indexOf('<', source.at)
      this.#skip(next < 0 ? source.text.length : next)
      if (next < 0) {
        if (source.ended) return
        yield
        continue
      }
      const markup = yield* peekMarkup(source)
      if (markup?.name === name && markup.type === 'quote-open' && !markup.selfClosing) depth++
      if (markup?.name === name && markup.type === 'quote-close') depth--
      this.#skip(markup?.end ?? source.at + 1)
      if (depth === 0) break
    }
    this.#closedQuotes.add(name)
  }

  /** Shows everything up to and including a mark. */
  *#passTo(mark: string): Reading<void> {
    const source = this.#source
    for (;;) {
      const found = source.text.indexOf(mark, source.at)
      if (found >= 0) return this.#skip(found + mark.length)
      if (source.ended) return this.#skip(source.text.length)
      this.#skip(Math.max(source.at, source.text.length - mark.length + 1))
      yield
    }
  }

  /** Shows text that may contain Markdown. */
  #pass(end: number): void {
    const { text, at } = this.#source
    for (let place = at; place < end; place++) this.#regions.feed(text.charCodeAt(place))
    this.#show(end)
  }

  /** Shows text whose Markdown does not count. */
  #skip(end: number): void {
    this.#regions.skip(this.#source.text.slice(this.#source.at, end))
    this.#show(end)
  }

  #show(end: number): void {
    const source = this.#source
    const shown = source.text.slice(source.at, end)
    source.at = end
    if (this.#since !== 'text' && shown.trim() !== '') this.#since = 'text'
    this.#queue.addText(shown)
  }

  #addRead({ segments, isLost }: ReadCall): void {
    for (const segment of segments) this.#add(segment)
    if (isLost) {
      this.#isLost = true
      this.#queue.lose()
    }
  }

  #add(segment: Segment): void {
    if (segment.type === 'text') this.#addText(segment)
    else this.#addCalls(segment)
  }

  #addText({ text, isOpaque }: TextSegment): void {
    if (isOpaque) this.#regions.skip(text)
    else for (let at = 0; at < text.length; at++) this.#regions.feed(text.charCodeAt(at))
    if (this.#since !== 'text' && text.trim() !== '') this.#since = 'text'
    this.#queue.addText(text)
  }

  #addCalls(segment: CallSegment): void {
    this.#regions.skip(segment.source)
    this.#since = 'call'
    this.#queue.addCalls(segment, [...this.#closedQuotes, ...this.#regions.openElements])
  }
}
