import { hash } from 'node:crypto'
import type { Seal } from '../seal.ts'

/** The digest of the body of a page, in hexadecimal. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body)

export const toHex = (bytes: Uint8Array | null): string =>
  bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

/** The body of a page whose thread was deleted. */
export const EMPTY_BODY = '[]'
const DIGEST_BYTES = 32

/** `id`: what names the page within its chain. */
const deletedFields = (id: unknown, digest: string) => ['deleted', id, digest]

/** What replaces the body of a deleted page: its digest, sealed, so that nobody else can empty a page unnoticed. */
export const markDeleted = (seal: Seal, id: unknown, digest: string): Uint8Array =>
  Buffer.concat([Buffer.from(digest, 'hex'), seal.of(deletedFields(id, digest))])

/** A body as it is stored, and the mark in its place if its page was deleted. */
export interface StoredBody {
  readonly id: unknown
  readonly bytes: Uint8Array
  readonly digest: Uint8Array | null
}

/** The digest of the body that a page was sealed with. A page that was emptied by another program keeps its own. */
export function sealedDigest(seal: Seal, { id, bytes, digest: mark }: StoredBody): string {
  if (!mark || Buffer.from(bytes).toString() !== EMPTY_BODY) return digestOf(bytes)
  const digest = toHex(mark.subarray(0, DIGEST_BYTES))
  return seal.fits(deletedFields(id, digest), mark.subarray(DIGEST_BYTES)) ? digest : digestOf(bytes)
}
