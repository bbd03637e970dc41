import type { ModelErrorFacts } from '../turn/errors.ts'

const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * The wait before the next attempt, after `attempt` attempts (from 1). Undefined: do not retry, because the provider asks
 * for too long a wait. Pure, given `random`.
 */
export function retryDelayMs(
  attempt: number,
  { retryAfterMs }: Pick<ModelErrorFacts, 'retryAfterMs'>,
  random: () => number,
): number | undefined {
  const jittered = random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1))
  if (retryAfterMs === undefined) return jittered
  return retryAfterMs > LONGEST_MS ? undefined : Math.max(retryAfterMs, jittered)
}
