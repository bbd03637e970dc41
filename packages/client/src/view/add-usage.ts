import type { Usage } from '@capstan/protocol'

/** The sum of two usages. */
export function addUsage(sum: Usage | undefined, more: Usage): Usage {
  if (!sum) return more
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    cachedInputTokens: sum.cachedInputTokens + more.cachedInputTokens,
    cacheWriteTokens: sum.cacheWriteTokens + more.cacheWriteTokens,
    reasoningTokens: sum.reasoningTokens + more.reasoningTokens,
    chargedUsd: sum.chargedUsd + more.chargedUsd,
    estimatedUsd: sum.estimatedUsd + more.estimatedUsd,
    ...(sum.estimated || more.estimated ? { estimated: true } : undefined),
  }
}
