import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { Usage } from '@capstan/protocol'
import { estimateUsd } from './prices.ts'
import type { Prices } from './prices.ts'

/** The usage of one call. The cost is the provider's charge, or an estimate from the prices. */
export function toUsage(
  used: LanguageModelV4Usage,
  metadata: SharedV4ProviderMetadata | undefined,
  prices: Prices,
): Usage {
  const { inputTokens: input, outputTokens: output } = used
  const cachedInputTokens = input.cacheRead ?? 0
  const cacheWriteTokens = input.cacheWrite ?? 0
  const tokens = {
    inputTokens: input.total ?? (input.noCache ?? 0) + cachedInputTokens + cacheWriteTokens,
    outputTokens: output.total ?? (output.text ?? 0) + (output.reasoning ?? 0),
    cachedInputTokens,
    cacheWriteTokens,
    reasoningTokens: output.reasoning ?? 0,
  }
  const chargedUsd = chargeOf(used, metadata)
  return {
    ...tokens,
    chargedUsd: chargedUsd ?? 0,
    estimatedUsd: chargedUsd === undefined ? estimateUsd(tokens, prices) : 0,
  }
}

/** Gateways name the cost in the usage itself, or under their name in the metadata, as a number or a string. */
function chargeOf(
  { raw }: LanguageModelV4Usage,
  metadata: SharedV4ProviderMetadata | undefined,
): number | undefined {
  const places: unknown[] = [raw?.['cost']]
  for (const entry of Object.values(metadata ?? {})) {
    const usage = entry['usage']
    places.push(entry['cost'])
    if (typeof usage === 'object' && usage !== null && 'cost' in usage) places.push(usage.cost)
  }
  for (const cost of places) {
    if (typeof cost !== 'number' && (typeof cost !== 'string' || cost === '')) continue
    const usd = Number(cost)
    if (Number.isFinite(usd) && usd >= 0) return usd
  }
  return undefined
}
