import type { CheckpointStrategy } from '../seams.ts'

/** For channels: nobody comes back to press Continue, so the limit is said plainly and is the failure. */
export const failAtCap: CheckpointStrategy = {
  async atCap({ cap }) {
    const what = { iterations: 'steps', tokens: 'tokens', usd: 'USD', 'wall-clock': 'milliseconds' }[cap.kind]
    return {
      type: 'fail',
      text: `This could not be finished within the limit of ${cap.limit} ${what}. Ask for a smaller part of it, or raise the limit.`,
    }
  },
}
