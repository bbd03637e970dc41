import { hash } from 'node:crypto'
import type { AuditLine } from '@capstan/protocol'
import type { Seal } from '../approvals/seal.ts'
import type { Connection } from '../database/connection.ts'
import type { Page } from '../ledger/journal.ts'

/** The chain over the pages of the journal. Each page is sealed with the page before it, by a key outside of the file. */
export interface Chain {
  /** The seal of a page that follows one with the seal `previous`. */
  macOf(previous: Uint8Array | null, page: Page): Uint8Array
  /** What replaces the body of a deleted page: its digest, sealed, so that nobody else can empty a page unnoticed. */
  markDeleted(id: number, body: string): Uint8Array
  /**
   * Notes how far the chain reaches, so that a removed end is noticed. Call it in the transaction of the page. Answers with
   * a line to add when the noted end is no longer there.
   */
  reach(page: Page, mac: Uint8Array): AuditLine | undefined
}

/** Where the chain starts, and how far it is known to reach. */
export interface ChainHead {
  readonly first: number
  /** Of all pages before the first one. */
  readonly before: Uint8Array
  /** A page that is known to exist. */
  readonly page: number
  readonly seal: Uint8Array
}

/** The fields of a page that its seal covers, and the digest of its body. */
export interface SealedPage {
  readonly id: number
  readonly thread: number
  readonly lastSeq: number
  readonly kinds: number
}

const digestOf = (body: string | Uint8Array): Uint8Array => hash('sha256', body, 'buffer')

/** The seal of a page by the digest of its body. */
export function sealPage(
  seal: Seal,
  previous: Uint8Array | null,
  { id, thread, lastSeq, kinds }: SealedPage,
  digest: Uint8Array,
): Uint8Array {
  return seal.of(['page', toHex(previous), id, thread, lastSeq, kinds, toHex(digest)])
}

/** Whether the head is what was written, and the page it names is there. `mac`: the seal of that page. */
export function isHeadIntact(seal: Seal, head: ChainHead, mac: Uint8Array | null | undefined): boolean {
  return mac !== undefined && seal.fits(headFields(head, mac), head.seal)
}

const headFields = ({ first, before, page }: Omit<ChainHead, 'seal'>, mac: Uint8Array | null) => [
  'head',
  first,
  toHex(before),
  page,
  toHex(mac),
]

const toHex = (bytes: Uint8Array | null): string =>
  bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

export function readHead(connection: Connection): ChainHead | undefined {
  return connection.prepare<ChainHead>('SELECT first, before, page, seal FROM chain_head WHERE id = 1').get()
}

/** Opens the chain, and starts it if there is none or its key was lost. Only the owner of the file may call it. */
export function openChain(
  connection: Connection,
  seal: Seal,
  { isKeyNew, now }: { readonly isKeyNew: boolean; readonly now: () => number },
): Chain {
  const macOfPage = connection.prepare<{ readonly mac: Uint8Array | null }>(
    'SELECT mac FROM journal WHERE id = ?',
  )
  const readNoted = connection.prepare<ChainHead>(
    'SELECT first, before, page, seal FROM chain_head WHERE id = 1',
  )
  const write = connection.prepare('INSERT OR REPLACE INTO chain_head VALUES (1, ?, ?, ?, ?)')
  const put = (head: Omit<ChainHead, 'seal'>, mac: Uint8Array | null): Uint8Array => {
    const sealed = seal.of(headFields(head, mac))
    write.run(head.first, head.before, head.page, sealed)
    return sealed
  }
  if (isKeyNew || !readNoted.get()) {
    const { last, digest } = digestPages(connection, seal)
    put({ first: last + 1, before: digest, page: last }, macOfPage.get(last)?.mac ?? null)
  }
  /** The head as this process wrote it last. */
  let written: Uint8Array | undefined

  return {
    macOf: (previous, page) => sealPage(seal, previous, page, digestOf(page.body)),
    markDeleted(id, body) {
      const digest = digestOf(body)
      return Buffer.concat([digest, seal.of(deletedFields(id, digest))])
    },
    reach({ id }, mac) {
      const head = readNoted.get()
      const isKnown = head && written && Buffer.compare(head.seal, written) === 0
      const found = head && (head.page === 0 ? null : macOfPage.get(head.page)?.mac)
      const isIntact = isKnown ? found !== undefined : head && isHeadIntact(seal, head, found)
      const { first, before } = head ?? { first: id, before: new Uint8Array() }
      written = put({ first, before, page: id }, mac)
      if (isIntact) return undefined
      const facts = { noted: head?.page ?? 0, found: id }
      return { at: now(), userId: '', action: 'chain-break', facts }
    },
  }
}

/** The body of a page whose thread was deleted. */
export const EMPTY_BODY = '[]'
const DIGEST_BYTES = 32

const deletedFields = (id: number, digest: Uint8Array) => ['deleted', id, toHex(digest)]

/** The digest of the body that a page was sealed with. A page that was emptied by another program keeps its own. */
export function sealedDigest(
  seal: Seal,
  { id, bytes, digest: mark }: Pick<RawPage, 'id' | 'bytes' | 'digest'>,
): Uint8Array {
  if (!mark || Buffer.from(bytes).toString() !== EMPTY_BODY) return digestOf(bytes)
  const digest = mark.subarray(0, DIGEST_BYTES)
  return seal.fits(deletedFields(id, digest), mark.subarray(DIGEST_BYTES)) ? digest : digestOf(bytes)
}

/** One digest over all pages, and the number of the last one. */
export function digestPages(
  connection: Connection,
  seal: Seal,
  before = Number.MAX_SAFE_INTEGER,
): { readonly last: number; readonly digest: Uint8Array } {
  const pages = connection.prepare(
    `SELECT id, thread, last_seq, kinds, digest, CAST(body AS BLOB) AS bytes FROM journal WHERE id < ? ORDER BY id`,
  )
  let last = 0
  let digest: Uint8Array = new Uint8Array()
  for (const row of pages.compiled().iterate(before) as Iterable<unknown>) {
    const page = row as RawPage
    const { id, thread, last_seq, kinds } = page
    const fields = [toHex(digest), id, thread, last_seq, kinds, toHex(sealedDigest(seal, page))]
    digest = hash('sha256', JSON.stringify(fields), 'buffer')
    last = id
  }
  return { last, digest }
}

export interface RawPage {
  readonly id: number
  readonly thread: number
  readonly last_seq: number
  readonly kinds: number
  readonly digest: Uint8Array | null
  readonly bytes: Uint8Array
}
