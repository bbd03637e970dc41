import type { Seal } from '../../shared/seal.ts'

/** The fields of a page that its seal covers, beside the seal of the page before it and the digest of its body. */
export interface ChainedPage {
  readonly chain: number
  /** Its place in the chain, from 1. */
  readonly no: number
  /** Negative for a page that belongs to no thread. */
  readonly thread: number
  readonly page: number
  readonly lastSeq: number
  readonly kinds: number
}

/** The seal of a page, in hexadecimal. `previous`: the seal of the page before it in the chain; blank for the first. */
export const sealPage = (seal: Seal, previous: string, page: ChainedPage, digest: string): string =>
  seal.hexOf([
    'chained page',
    previous,
    page.chain,
    page.no,
    page.thread,
    page.page,
    page.lastSeq,
    page.kinds,
    digest,
  ])

/** What a chain is opened with: the seal of the chain before it is covered, so that none can be removed unnoticed. */
export const openingFields = (no: number, node: string, openedAt: number, previous: string) => [
  'chain',
  no,
  node,
  openedAt,
  previous,
]

/** How far a chain is known to reach, so that a removed end is noticed. `mac`: the seal of that page. */
export const reachFields = (chain: number, no: number, mac: string) => ['reach of a chain', chain, no, mac]

/** How many chains there are. `last`: the seal of the last one. */
export const countFields = (count: number, last: string) => ['number of chains', count, last]
