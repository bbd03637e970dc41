import { newToken } from '../../turn/new-id.ts'
import { plainSummary } from '../../turn/plain-summary.ts'
import type { CappedTurn, CheckpointStrategy } from '../seams.ts'

/**
 * Pauses a capped turn with a summary of what is done and what is left, and a token to continue. At the iteration cap
 * the model writes the summary, without tools. At another cap, or when that call fails, the summary lists the calls.
 */
export function createSummaryCheckpoint(reader: 'user' | 'parent'): CheckpointStrategy {
  return {
    async atCap(capped) {
      const summary =
        capped.cap.kind === 'iterations' ? await capped.ask(question(capped, reader)) : undefined
      return { type: 'pause', text: summary ?? plainSummary(capped, reader), resumeToken: newToken() }
    },
  }
}

function question({ request, digest }: CappedTurn, reader: 'user' | 'parent'): string {
  const whom = reader === 'user' ? 'the user' : 'the agent that delegated the work'
  return (
    `An assistant ran out of steps. Tell ${whom} in a few sentences what is done so far and what the next steps ` +
    `are. Do not claim anything the list of calls does not show.\n\nThe request:\n${request}\n\n` +
    `The calls so far:\n${digest.join('\n')}`
  )
}
