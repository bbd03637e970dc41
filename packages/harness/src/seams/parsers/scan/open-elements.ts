import { isKnownName } from './markup.ts'

const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
const MAX_TAG_CHARS = 512
const TAG = /^(\/?)([a-z][\w-]*)(?:\s[^]*)?$/i

/** What a model puts around its own words. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'assistant',
  'answer',
  'reply',
  'response',
  'action',
  'actions',
])

/**
 * Follows text and knows which elements are open, whatever their names. A call inside of one is a quoted call if
 * the element is closed behind it: a page, a mail, a note that was pasted.
 */
export class OpenElements {
  #open = new Set<string>()
  /** What was read of a tag, behind its `<`. */
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
