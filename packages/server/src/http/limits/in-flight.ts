/** Counts the requests that are being answered. */
export interface InFlight {
  /** Call the result when the request is answered. */
  enter(): () => void
  /** Resolves when no request is in flight, or after the time. */
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
