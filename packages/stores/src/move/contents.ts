import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { MovedDocument } from './documents.ts'

/**
 * One side of a move. The store answers what the product reads; the lists name everything that it can be asked for, and
 * what no port shows without changing it.
 */
export interface Contents {
  readonly store: Store
  /** Everyone who has anything. */
  users(): Promise<readonly string[]>
  /** In the order they were created. */
  threadIds(): Promise<readonly ThreadId[]>
  connectionIds(): Promise<readonly string[]>
  /** Users and toolkits for which anything was chosen. */
  choices(): Promise<readonly Choice[]>
  secretIds(): Promise<readonly string[]>
  signIns(): Promise<readonly unknown[]>
  /** One row for each model call: the user, the time, the model and the amounts. */
  usage(): Promise<readonly unknown[]>
  /** One row for each vector of an item: whose, of which item, model and dimensions, and the bytes. */
  vectors(): Iterable<VectorContents> | AsyncIterable<VectorContents>
  artifactIds(threadId: ThreadId): Promise<readonly string[]>
  documents(): Promise<readonly MovedDocument[]>
}

export interface Choice {
  readonly user: string
  readonly toolkit: string
}

export interface VectorContents {
  readonly user: string
  readonly item: string
  readonly model: string
  readonly dimensions: number
  readonly signs: Uint8Array
  readonly vector: Uint8Array
}
