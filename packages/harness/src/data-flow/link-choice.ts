import { findAddresses, standsIn, toBareLink } from './addresses.ts'
import type { Origin } from './provenance.ts'
import type { FoundCell, Source } from './source-index.ts'

/** The cells in which an address stands as it is. What the assistant can have made up itself does not count. */
export const linkCells = (value: string, { cells }: Origin): FoundCell[] =>
  cells.filter((cell) => !cell.source.isMade && standsIn(value, cell.text))

/** Remembers which links were taken, since the choice among many can tell something. */
export class LinkChoices {
  readonly #links = new WeakMap<Source, ReadonlyMap<string, number>>()
  readonly #taken = new WeakMap<Source, number>()

  /**
   * How much the choice of a link can tell, in bits: less for the next one of a text, nothing for the only one. Of a
   * structure, the links of one record count: its records are by different people.
   */
  bits(value: string, cells: readonly FoundCell[]): number {
    return Math.min(...cells.map((cell) => this.#bitsIn(value, cell)))
  }

  take(value: string, cells: readonly FoundCell[]): void {
    for (const { source } of cells) this.#taken.set(source, this.#indexIn(value, source))
  }

  #bitsIn(value: string, cell: FoundCell): number {
    if (cell.form === 'structure' && cell.record > 0)
      return Math.log2(Math.max(1, findAddresses(cell.text).length))
    const { source } = cell
    const step = this.#indexIn(value, source) - (this.#taken.get(source) ?? -1)
    const any = Math.log2(Math.max(1, this.#linksOf(source).size))
    return step > 0 ? Math.min(any, 1 + 2 * Math.log2(step)) : any
  }

  #indexIn(value: string, source: Source): number {
    return this.#linksOf(source).get(toBareLink(value)) ?? -1
  }

  /** The places of the links of a text, in their order. */
  #linksOf(source: Source): ReadonlyMap<string, number> {
    const known =
      this.#links.get(source) ??
      new Map(findAddresses(source.text).map((link, index) => [toBareLink(link), index] as const))
    this.#links.set(source, known)
    return known
  }
}
