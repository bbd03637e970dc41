/** Tokens and money of one model call, or the sum over many. `inputTokens` includes the cached ones. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens: number
  readonly cacheWriteTokens: number
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number
  /** What the provider said it charged. */
  readonly chargedUsd: number
  /** The tokens are our guess: the reply broke off before the provider had counted them. */
  readonly estimated?: true
  /** Our estimate from the price table, for the calls where the provider named no charge. */
  readonly estimatedUsd: number
}

/** Nothing was used. */
export const NO_USAGE: Usage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0,
})

/** The sum of two. A guess in one of them makes it a guess. Pure. */
export function sumUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    chargedUsd: a.chargedUsd + b.chargedUsd,
    estimatedUsd: a.estimatedUsd + b.estimatedUsd,
    ...(a.estimated || b.estimated ? { estimated: true as const } : undefined),
  }
}
