import { setTimeout as sleep } from 'node:timers/promises'

/** Does the work again and again, one at a time. An error is reported, and the work goes on. The result ends it. */
export function regularly(
  pauseMs: number,
  work: () => Promise<unknown>,
  onProblem: (error: unknown) => void,
): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) onProblem(error)
      })
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return async () => {
    ending.abort()
    await running
  }
}
