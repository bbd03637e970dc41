import type { AuditLine } from '@capstan/protocol'
import { digestOf, markDeleted, sealedDigest, toHex } from '../../shared/audit/page-digest.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Connection } from '../database/connection.ts'
import type { Page } from '../ledger/journal.ts'

/**
 * The chain over the pages of the journal. Each page is sealed with the page before it, by a key outside of the file. Seals
 * and digests are hexadecimal here; a page without a seal has an empty one.
 */
export interface Chain {
  /** The seal of a page that follows one with the seal `previous`. */
  macOf(previous: string, page: Page): string
  /** What replaces the body of a deleted page: its digest, sealed, so that nobody else can empty a page unnoticed. */
  markDeleted(id: number, body: string): Uint8Array
  /**
   * Notes how far the chain reaches, so that a removed end is noticed. Call it in the transaction of the page. Answers with
   * a line to add when the noted end is no longer there.
   */
  reach(page: Page, mac: string): AuditLine | undefined
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

type Head = Omit<ChainHead, 'seal'>

/** The fields of a page that its seal covers, and the digest of its body. */
export interface SealedPage {
  readonly id: number
  readonly thread: number
  readonly lastSeq: number
  readonly kinds: number
}

/** The seal of a page by the digest of its body. */
export function sealPage(
  seal: Seal,
  previous: string,
  { id, thread, lastSeq, kinds }: SealedPage,
  digest: string,
): string {
  return seal.hexOf(['page', previous, id, thread, lastSeq, kinds, digest])
}

/** Whether the head is what was written, and the page it names is there. `mac`: the seal of that page. */
export function isHeadIntact(seal: Seal, head: ChainHead, mac: Uint8Array | null | undefined): boolean {
  return mac !== undefined && seal.fits(headFields(head, toHex(mac)), head.seal)
}

const headFields = ({ first, before, page }: Head, mac: string) => ['head', first, toHex(before), page, mac]

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
  const dataVersion = connection.prepare<{ readonly data_version: number }>('PRAGMA data_version')
  const write = connection.prepare('INSERT OR REPLACE INTO chain_head VALUES (1, ?, ?, ?, ?)')
  const put = (head: Head, mac: string): void => {
    // A copy: Node 22 writes NULL for empty bytes that were read from the database.
    const before = new Uint8Array(head.before)
    write.run(head.first, before, head.page, seal.of(headFields(head, mac)))
  }
  if (isKeyNew || !readNoted.get()) {
    const { last, digest } = digestPages(connection, seal)
    put({ first: last + 1, before: digest, page: last }, toHex(macOfPage.get(last)?.mac ?? null))
  }
  /** The head as this process wrote it last. It is what the file holds as long as both numbers stay the same. */
  let written: { readonly head: Head; readonly version: number; readonly undone: number } | undefined
  const isIntact = (head: ChainHead | undefined): boolean =>
    head !== undefined && isHeadIntact(seal, head, head.page === 0 ? null : macOfPage.get(head.page)?.mac)

  return {
    macOf: (previous, page) => sealPage(seal, previous, page, digestOf(page.body)),
    markDeleted: (id, body) => markDeleted(seal, id, digestOf(body)),
    reach({ id }, mac) {
      const { undone } = connection
      // Changes when another connection has written.
      const version = dataVersion.get()!.data_version
      const isKnown = written?.version === version && written.undone === undone
      const noted = isKnown ? undefined : readNoted.get()
      const { first, before } = (isKnown ? written?.head : noted) ?? { first: id, before: new Uint8Array() }
      const isBroken = !isKnown && !isIntact(noted)
      const head = { first, before, page: id }
      put(head, mac)
      written = { head, version, undone }
      if (!isBroken) return undefined
      const facts = { noted: noted?.page ?? 0, found: id }
      return { at: now(), userId: '', action: 'chain-break', facts }
    },
  }
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
  let digest = ''
  for (const row of pages.compiled().iterate(before) as Iterable<unknown>) {
    const page = row as RawPage
    const { id, thread, last_seq, kinds } = page
    digest = digestOf(JSON.stringify([digest, id, thread, last_seq, kinds, sealedDigest(seal, page)]))
    last = id
  }
  return { last, digest: Buffer.from(digest, 'hex') }
}

interface RawPage {
  readonly id: number
  readonly thread: number
  readonly last_seq: number
  readonly kinds: number
  readonly digest: Uint8Array | null
  readonly bytes: Uint8Array
}
