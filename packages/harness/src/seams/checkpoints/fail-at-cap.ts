import type { CheckpointStrategy } from '../seams.ts'

/** Ends a capped turn as failed and names the limit. For channels, where nobody can continue the turn later. */
export const failAtCap: CheckpointStrategy = {
  async atCap({ cap }) {
    const what = { iterations: 'steps', tokens: 'tokens', usd: 'USD', 'wall-clock': 'milliseconds' }[cap.kind]
    return {
      type: 'fail',
      text: `This could not be finished within the limit of ${cap.limit} ${what}. Ask for a smaller part of it, or raise the limit.`,
    }
  },
}
