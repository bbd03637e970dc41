import type { Usage } from '@capstan/protocol'

/** The sum of two. A guess in one of them makes it a guess. */
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
