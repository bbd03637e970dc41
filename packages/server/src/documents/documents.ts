/**
 * Named texts that an installation keeps beside its conversations: settings, holds, logins, keys. On one machine they are
 * files of the data folder. Nodes that share a database have them there, and each reads its own copy in memory.
 */
export interface Documents {
  /** Brings documents into memory, so that they can be read. */
  load(names: readonly string[]): Promise<void>
  /** The newest text that this node knows. Undefined when there is none. Throws a `StoreError` when it cannot be read. */
  read(name: string): string | undefined
  /**
   * Stores what `work` makes of the newest text; undefined leaves it as it is. `work` is called again when another node was
   * faster. Settles when the change survives a power cut; from then on `read` returns it. Rejects with a `StoreError`, or
   * with what `work` throws; nothing changes then.
   */
  change(name: string, work: (text: string | undefined) => string | undefined): Promise<void>
  /** Calls the listener with the name of a document that another node has changed. The result unsubscribes. */
  watch(listener: (name: string) => void): () => void
  /** Puts a text that cannot be understood out of the way. The result says where it is now. Throws a `StoreError`. */
  setAside(name: string, at: number): string
}
