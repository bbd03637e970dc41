/** Runs pieces of work one after the other for each key, in the order they were given; those of different keys run together. */
export interface InOrder<Key> {
  run<Value>(key: Key, work: () => Promise<Value>): Promise<Value>
  /** Everything that was given has ended. */
  settle(): Promise<void>
}

export function createInOrder<Key>(): InOrder<Key> {
  const last = new Map<Key, Promise<unknown>>()
  return {
    run(key, work) {
      const before = last.get(key)
      const done = before ? before.then(work, work) : work()
      last.set(key, done)
      const end = (): void => {
        if (last.get(key) === done) last.delete(key)
      }
      done.then(end, end)
      return done
    },
    async settle() {
      while (last.size > 0) await Promise.allSettled(last.values())
    },
  }
}
