import type { Cap, TurnOutcome } from '@capstan/protocol'
import { toCount, toDuration } from './quantities.ts'

/** Says in one or two sentences why a finished run ended. Does not contain the answer itself. */
export function toEndingSentence(outcome: TurnOutcome): string {
  switch (outcome.type) {
    case 'done':
      return outcome.cut
        ? 'It answered, but the model ran into its output limit, so the answer is cut off.'
        : 'It answered.'
    case 'halted': {
      const why = outcome.failure ? ` The last reason: ${outcome.failure.cause}` : ''
      return `"${outcome.guard}" stopped it, because it was getting nowhere.${why}`
    }
    case 'capped':
      return `It reached its limit of ${toLimit(outcome.cap)} and paused${outcome.resumeToken === undefined ? '' : '; it can be continued'}.`
    case 'needs-input':
      return 'It asked the user a question and ended there; the next message is the answer.'
    case 'failed':
      return `It failed. ${outcome.failure.cause} ${outcome.failure.next}`
    case 'aborted':
      return 'It was stopped before it had finished.'
  }
}

function toLimit({ kind, limit }: Cap): string {
  switch (kind) {
    case 'iterations':
      return toCount(limit, 'step')
    case 'tokens':
      return toCount(limit, 'token')
    case 'usd':
      return `$${limit}`
    case 'wall-clock':
      return toDuration(limit)
  }
}
