import { EXIT } from './exit-code.ts'
import type { Shell } from './shell.ts'

/** The first Ctrl-C stops the turn, which still ends in good order; the second ends the process. */
export function stopOnInterrupt(shell: Shell, stop: () => void): () => void {
  let pressed = false
  return shell.onInterrupt(() => {
    if (pressed) shell.exit(EXIT.aborted)
    pressed = true
    stop()
  })
}
