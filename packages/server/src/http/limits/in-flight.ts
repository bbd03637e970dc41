/** What is being answered now. */
export interface InFlight {
  /** The result is called when it was answered. */
  enter(): () => void
  /** Settles when nothing is under way any more, or after the time. */
  settled(timeoutMs: number): Promise<void>
}

export function createInFlight(): InFlight {
  let count = 0
  let notify: (() => void) | undefined
  return {
    enter() {
      count++
      return () => {
        if (--count === 0) notify?.()
      }
    },
    settled(timeoutMs) {
      if (count === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        notify = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}
