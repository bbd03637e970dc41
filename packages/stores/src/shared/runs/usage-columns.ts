import type { UsageRow } from '@capstan/protocol'

/** The sums of the usage of one model, as a database answers with them. */
export interface UsageSums {
  readonly model: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cached_input_tokens: number
  readonly cache_write_tokens: number
  readonly reasoning_tokens: number
  readonly charged_usd: number
  readonly estimated_usd: number
  /** Whether any of it is a guess. SQLite has no booleans. */
  readonly estimated: boolean | number
}

/** JSON has no other numbers, and a page that cannot be indexed would block all that follow. */
export const toCount = (value: number): number => (Number.isFinite(value) ? value : 0)

export function toUsageRow(sums: UsageSums): UsageRow {
  return {
    model: sums.model,
    calls: sums.calls,
    usage: {
      inputTokens: sums.input_tokens,
      outputTokens: sums.output_tokens,
      cachedInputTokens: sums.cached_input_tokens,
      cacheWriteTokens: sums.cache_write_tokens,
      reasoningTokens: sums.reasoning_tokens,
      chargedUsd: sums.charged_usd,
      estimatedUsd: sums.estimated_usd,
      ...(sums.estimated ? { estimated: true as const } : undefined),
    },
  }
}
