import { EXIT } from './exit-code.ts'
import type { Shell } from './shell.ts'

/** The first Ctrl-C calls `stop`, so that the turn can end cleanly; the second ends the process. The result removes the listener. */
export function stopOnInterrupt(shell: Shell, stop: () => void): () => void {
  let pressed = false
  return shell.onInterrupt(() => {
    if (pressed) shell.exit(EXIT.aborted)
    pressed = true
    stop()
  })
}
