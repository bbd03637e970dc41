import { BracketLexer } from '../scan/bracket-lexer.ts'
import type { Markup } from '../scan/markup.ts'
import { markupAt } from '../scan/markup.ts'
import type { Reading, ReplySource } from '../scan/reply-source.ts'
import { seek } from '../scan/reply-source.ts'

/** A JSON value in the text of a reply. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Part of other text, such as `list[3]`, or in inline code. Such a value is never a call. */
  readonly isMention: boolean
}

/** The text between the marks of a call. Offsets count from where the source began to keep. */
export interface JsonBody {
  readonly values: readonly Span[]
  /** The start of a value whose end is uncertain. */
  readonly broken?: number
  /** The end of the body, and below it the end of the mark that closes it. */
  readonly to: number
  readonly end: number
  /** `markup`: another call or a quoting element begins, so the closing mark of this call is missing. */
  readonly endedBy: 'close' | 'fence' | 'markup' | 'reply'
}

/** The character of a fence and how often it is repeated. */
export interface FenceMark {
  readonly mark: string
  readonly length: number
}

/**
 * Reads to the end of a call written as JSON: its close tag or the end of its fence, except inside a string. Inside a
 * fence the values may have call tags around them.
 */
export function* readJsonBody(source: ReplySource, fence?: FenceMark): Reading<JsonBody> {
  const body = new BodyReader(source, fence)
  for (;;) {
    while (source.at < source.text.length) {
      const markup = body.markupHere()
      if (markup === 'unfinished') break
      if (markup === undefined) body.readCharacter()
      else if (typeof markup === 'number') return body.finish('fence', markup)
      else if (body.endsAt(markup))
        return body.finish(markup.type === 'call-close' ? 'close' : 'markup', markup.end)
      else {
        source.at = markup.end
        if (markup.type === 'comment' && (yield* seek(source, '-->'))) source.at += 3
      }
    }
    if (source.ended) return body.finish('reply', source.at)
    yield
  }
}

class BodyReader {
  #source: ReplySource
  #fence: FenceMark | undefined
  #values: Span[] = []
  #lexer = new BracketLexer()
  #from = -1
  #broken = -1
  #isMention = false
  #openTags = 0
  #previous = ''
  #ticks = 0
  #atLineStart = true

  constructor(source: ReplySource, fence: FenceMark | undefined) {
    this.#source = source
    this.#fence = fence
  }

  /** The markup that begins here, or the offset where the closing fence that begins here ends. */
  markupHere(): Markup | number | 'unfinished' | undefined {
    const { text, at, ended } = this.#source
    if (this.#lexer.isOpaque) return undefined
    const char = text.charAt(at)
    if (char === this.#fence?.mark && this.#atLineStart) return fenceEnd(this.#source, this.#fence)
    if (char !== '<') return undefined
    const markup = markupAt(text, at, ended)
    if (markup === 'unfinished' || markup?.type === 'call-close') return markup
    return this.#from < 0 ? markup : undefined
  }

  /** Whether the body ends at this markup. */
  endsAt({ type, selfClosing }: Markup): boolean {
    if (type === 'quote-open') return !selfClosing
    if (type === 'quote-close') return true
    if (type === 'call-close') return this.#openTags-- === 0
    if (type !== 'call-open') return false
    if (!this.#fence) return true
    this.#openTags++
    return false
  }

  readCharacter(): void {
    const source = this.#source
    const char = source.text.charAt(source.at)
    if (this.#from < 0 && (char === '{' || char === '[')) {
      this.#from = source.keptLength
      this.#isMention = /[\w$)]/.test(this.#previous) || this.#ticks === 1 || this.#ticks === 2
    }
    source.at++
    if (this.#from >= 0) this.#readValue(char)
    this.#ticks = char === '`' ? this.#ticks + 1 : 0
    this.#atLineStart = char === '\n' || (char === ' ' && this.#atLineStart)
    this.#previous = char
  }

  #readValue(char: string): void {
    this.#lexer.feed(char.charCodeAt(0))
    if (this.#lexer.isOpen) return
    if (this.#lexer.isMismatched && this.#broken < 0) this.#broken = this.#from
    this.#values.push({ from: this.#from, to: this.#source.keptLength, isMention: this.#isMention })
    this.#from = -1
    this.#lexer = new BracketLexer()
  }

  finish(endedBy: JsonBody['endedBy'], end: number): JsonBody {
    const source = this.#source
    const to = source.keptLength
    if (endedBy !== 'markup') source.at = end
    const broken = this.#broken < 0 ? this.#from : this.#broken
    return {
      values: this.#values,
      to,
      end: source.keptLength,
      endedBy,
      ...(broken < 0 ? undefined : { broken }),
    }
  }
}

/** The end of the closing fence that begins here. Undefined when none does. */
export function fenceEnd(source: ReplySource, fence: FenceMark): number | 'unfinished' | undefined {
  const { text, at, ended } = source
  let end = at
  while (text.charAt(end) === fence.mark) end++
  const length = end - at
  while (text.charAt(end) === ' ' || text.charAt(end) === '\t' || text.charAt(end) === '\r') end++
  if (end === text.length) return ended ? (length >= fence.length ? end : undefined) : 'unfinished'
  return text.charAt(end) === '\n' && length >= fence.length ? end : undefined
}
