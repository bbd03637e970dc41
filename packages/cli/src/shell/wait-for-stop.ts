import { EXIT } from './exit-code.ts'
import type { Shell } from './shell.ts'

/** A second Ctrl-C within this time counts as the first: npm repeats the signal that the terminal sent already. */
const SAME_PRESS_MS = 500

/** Settles at the first Ctrl-C or request to terminate. A second Ctrl-C ends the process at once. */
export function waitForStop(shell: Shell): Promise<void> {
  return new Promise((resolve) => {
    let stoppedAt: number | undefined
    const stop = (): void => {
      stoppedAt ??= performance.now()
      resolve()
    }
    shell.onInterrupt(() => {
      if (stoppedAt === undefined) stop()
      else if (performance.now() - stoppedAt > SAME_PRESS_MS) shell.exit(EXIT.aborted)
    })
    shell.onTerminate(stop)
  })
}
