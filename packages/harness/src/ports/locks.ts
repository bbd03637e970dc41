/** Lets one caller at a time work under a name: among the callers of a process, or of all nodes that share a store. */
export interface Locks {
  /**
   * Waits until the name is free, works, and frees it. Rejects with a `StoreError` of kind `locked`, without having worked,
   * when it is not free in time. A holder that died frees it after a moment: what it did last is then unknown, so who
   * works under a lock reads what is stored first. Not reentrant.
   */
  withLock<Value>(
    name: string,
    work: () => Promise<Value>,
    options: { readonly limitMs: number },
  ): Promise<Value>
}
