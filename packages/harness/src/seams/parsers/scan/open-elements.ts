import { isKnownName } from './markup.ts'

const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
const MAX_TAG_CHARS = 512
const TAG = /^(\/?)([a-z][\w-]*)(?:\s[^]*)?$/i

/** Elements that models put around their own text. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'assistant',
  'answer',
  'reply',
  'response',
  'action',
  'actions',
])

/**
 * Tracks which elements of any name are open. A call inside an element that is closed after it is a quotation: a pasted
 * page, mail or note.
 */
export class OpenElements {
  #open = new Set<string>()
  /** The part of a tag read so far, after its `<`. */
  #tag: string | undefined

  get names(): readonly string[] {
    return [...this.#open]
  }

  feed(code: number): void {
    if (code === LESS) this.#tag = ''
    else if (this.#tag === undefined) return
    else if (code === GREATER) this.#endTag(this.#tag)
    else if (this.#tag.length < MAX_TAG_CHARS) this.#tag += String.fromCharCode(code)
    else this.#tag = undefined
  }

  #endTag(tag: string): void {
    this.#tag = undefined
    const [, slash, written] = TAG.exec(tag) ?? []
    const name = written?.toLowerCase()
    if (name === undefined || isKnownName(name) || OWN_WORDS.has(name)) return
    if (slash) this.#open.delete(name)
    else if (tag.charCodeAt(tag.length - 1) !== SLASH) this.#open.add(name)
  }
}
