/** More flushes at the same time would only wait for each other. */
const MOST_AT_ONCE = 2

/**
 * Flushes what was written. Callers that wait for the same writes share one flush. A caller that comes during a flush gets
 * another one, because the first may have missed its writes; a caller that comes while two are running waits for the next.
 */
export interface SharedFlush {
  /** Call after each write. */
  note(): void
  /** Undefined when there is nothing to wait for. */
  wait(): Promise<void> | undefined
  /** Everything that was ever waited for has settled. */
  settle(): Promise<void>
}

export function createSharedFlush(flush: () => Promise<void>): SharedFlush {
  let written = 0
  let safe = 0
  /** The newest flush, and what it covers. */
  let latest: { readonly upTo: number; readonly done: Promise<void> } | undefined
  let next: PromiseWithResolvers<void> | undefined
  const underWay = new Set<Promise<void>>()

  function start(): Promise<void> {
    const upTo = written
    const done = flush().then(() => {
      safe = Math.max(safe, upTo)
    })
    latest = { upTo, done }
    underWay.add(done)
    const end = () => {
      underWay.delete(done)
      const waiting = next
      next = undefined
      if (waiting) start().then(waiting.resolve, waiting.reject)
    }
    done.then(end, end)
    return done
  }

  return {
    note() {
      written++
    },
    wait() {
      if (safe === written) return undefined
      if (latest && latest.upTo === written && underWay.has(latest.done)) return latest.done
      if (underWay.size < MOST_AT_ONCE) return start()
      next ??= Promise.withResolvers()
      return next.promise
    },
    async settle() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
