/** Lets a loop sleep until it is called. A call that comes while it is awake is not lost. */
export interface WakeUp {
  /** Settles with a call, with `until`, or after a time. */
  sleep(limitMs: number, until?: Promise<unknown>): Promise<void>
  call(): void
}

export function createWakeUp(): WakeUp {
  let isCalled = false
  let wake: (() => void) | undefined
  return {
    async sleep(limitMs, until) {
      if (!isCalled) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, limitMs)
        wake = resolve
        await Promise.race(until ? [promise, until] : [promise])
        clearTimeout(timer)
        wake = undefined
      }
      isCalled = false
    },
    call() {
      isCalled = true
      wake?.()
    },
  }
}
