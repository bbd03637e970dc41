import type { ModelErrorFacts } from '../turn/errors.ts'

const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * How long to wait before trying again, after `attempt` tries (from 1). Undefined: do not wait, because the
 * provider asked for more patience than a person has. Pure, given `random`.
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
