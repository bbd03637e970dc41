import type { Cell } from './cells.ts'
import { toCells } from './cells.ts'
import type { FlowSource } from './flow-types.ts'
import { WordFilter } from './word-filter.ts'
import { hasKey, toWords } from './words.ts'

/** Who led the assistant to a text: the user's words, untrusted text, or neither. */
export type Lead = 'user' | 'neutral' | 'untrusted'

/** One text that the assistant got. */
export interface Source {
  readonly isPrivate: boolean
  readonly isUntrusted: boolean
  readonly lead: Lead
  /** The assistant can have made it up, so an address in it proves nothing. */
  readonly isMade?: boolean
  /** It is made from a whole that is kept: what is read of the whole is not made. */
  readonly isSummary?: boolean
  readonly text: string
  readonly from: FlowSource
}

/** A cell with the source it belongs to. */
export interface FoundCell extends Cell {
  readonly source: Source
  readonly index: number
}

/** Where a value occurs. */
export interface Found {
  /** Cells in which it stands alone, as a field. */
  readonly values: readonly FoundCell[]
  /** Cells in which it stands inside of a longer text. */
  readonly mentions: readonly FoundCell[]
  /** It may have been in untrusted text that is no longer kept. */
  readonly isForgotten: boolean
}

const MAX_CHARS = 1_000_000
const MAX_SOURCE_CHARS = 100_000
const MAX_SCANNED = 4_000

/** The texts of a thread, by their words. Bounded: of the oldest untrusted texts only the words are kept. */
export class SourceIndex {
  #sources: Source[] = []
  readonly #forgotten = new WordFilter()
  #cells: FoundCell[] = []
  #byWord = new Map<string, number[]>()
  #byValue = new Map<string, number[]>()
  #chars = 0

  add(source: Source): void {
    const text = source.text.slice(0, MAX_SOURCE_CHARS)
    if (source.isUntrusted && source.text.length > text.length) this.#forget(source.text.slice(text.length))
    const kept = { ...source, text }
    this.#sources.push(kept)
    this.#chars += text.length
    if (this.#chars > MAX_CHARS) this.#shrink()
    else this.#index(kept)
  }

  /** Where a key occurs. The time grows with the number of cells that contain its rarest word, up to a limit. */
  find(key: string): Found {
    const words = key.split(' ')
    const values = (this.#byValue.get(key) ?? []).map((index) => this.#cells[index]!)
    let rarest: readonly number[] | undefined
    for (const word of words) {
      const list = this.#byWord.get(word) ?? []
      if (!rarest || list.length < rarest.length) rarest = list
    }
    const scanned = (rarest ?? []).slice(-MAX_SCANNED).map((index) => this.#cells[index]!)
    const mentions = scanned.filter((cell) => !cell.values.includes(key) && contains(cell, key))
    const isForgotten =
      (rarest !== undefined && rarest.length > MAX_SCANNED) ||
      (!this.#forgotten.isEmpty && words.every((word) => this.#forgotten.has(word)))
    return { values, mentions, isForgotten }
  }

  /** The cells that contain a word. */
  cellsWith(word: string): readonly FoundCell[] {
    return (this.#byWord.get(word) ?? []).slice(-MAX_SCANNED).map((index) => this.#cells[index]!)
  }

  /** The cells of the record that a cell belongs to. */
  recordOf({ source, record, index }: FoundCell): readonly FoundCell[] {
    const isSame = (cell: FoundCell | undefined) => cell?.source === source && cell.record === record
    let start = index
    let end = index + 1
    while (isSame(this.#cells[start - 1])) start--
    while (isSame(this.#cells[end])) end++
    return this.#cells.slice(start, end)
  }

  #index(source: Source): void {
    for (const cell of toCells(source.text)) {
      const index = this.#cells.length
      this.#cells.push({ ...cell, source, index })
      for (const word of new Set(cell.words.split(' '))) push(this.#byWord, word, index)
      for (const value of new Set(cell.values)) push(this.#byValue, value, index)
    }
  }

  /** Drops the older half, so that the cost is spread over many calls. */
  #shrink(): void {
    while (this.#chars > MAX_CHARS / 2 && this.#sources.length > 1) {
      const oldest = this.#sources.shift()!
      this.#chars -= oldest.text.length
      if (oldest.isUntrusted) this.#forget(oldest.text)
    }
    this.#cells = []
    this.#byWord = new Map()
    this.#byValue = new Map()
    for (const source of this.#sources) this.#index(source)
  }

  #forget(text: string): void {
    for (const word of new Set(toWords(text))) this.#forgotten.add(word)
  }
}

function push(map: Map<string, number[]>, key: string, index: number): void {
  const list = map.get(key)
  if (list) list.push(index)
  else map.set(key, [index])
}

/** A short number counts only where it stands alone: the 7 of "7.2 %" is not the record 7. */
function contains(cell: Cell, key: string): boolean {
  if (!hasKey(cell.words, key)) return false
  if (cell.breakAt !== undefined) return crossesBreak(cell.words, cell.breakAt, key)
  if (!/^\d{1,4}$/.test(key)) return true
  return new RegExp(`(?<![\\d.,:/$€£%-])${key}(?![\\d:/%-]|[.,]\\d)`).test(cell.text)
}

function crossesBreak(words: string, breakAt: number, key: string): boolean {
  const all = words.split(' ')
  const parts = [all.slice(0, breakAt), all.slice(breakAt)]
  return parts.every((part) => !hasKey(part.join(' '), key))
}
