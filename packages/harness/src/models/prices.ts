import type { Usage } from '@capstan/protocol'

/** USD per million tokens. */
export interface Prices {
  readonly input: number
  readonly cachedInput: number
  /** Absent: writing to the cache costs what input costs. */
  readonly cacheWrite?: number
  readonly output: number
}

const UNKNOWN: Prices = { input: 3, cachedInput: 0.3, output: 15 }
const FREE: Prices = { input: 0, cachedInput: 0, output: 0 }

// Published list prices, standard tier and short context, as of November 2026. The longest name that is a
// prefix of the model's wins, so dated releases need no row of their own.
const PRICES: Readonly<
  Record<string, readonly [input: number, cached: number, output: number, write?: number]>
> = {
  'openai/gpt-4.1': [2, 0.5, 8],
  'openai/gpt-4.1-mini': [0.4, 0.1, 1.6],
  'openai/gpt-4.1-nano': [0.1, 0.025, 0.4],
  'openai/gpt-4o': [2.5, 1.25, 10],
  'openai/gpt-4o-mini': [0.15, 0.075, 0.6],
  'openai/gpt-5': [1.25, 0.125, 10],
  'openai/gpt-5-mini': [0.25, 0.025, 2],
  'openai/gpt-5-nano': [0.05, 0.005, 0.4],
  'openai/gpt-5.2': [1.75, 0.175, 14],
  'openai/gpt-5.4': [2.5, 0.25, 15],
  'openai/gpt-5.4-mini': [0.75, 0.075, 4.5],
  'openai/gpt-5.4-nano': [0.2, 0.02, 1.25],
  'openai/gpt-5.5': [5, 0.5, 30],
  'openai/gpt-5.6': [4, 0.4, 20, 5],
  'openai/gpt-5.6-terra': [2, 0.2, 12, 2.5],
  'openai/gpt-5.6-luna': [0.2, 0.02, 1.2, 0.25],
  'openai/gpt-6-astra': [10, 1, 50, 12.5],
  'openai/gpt-6-sol': [2, 0.2, 10, 2.5],
  'openai/gpt-6-luna': [0.1, 0.01, 0.5, 0.125],
  'openai/gpt-6.1-sol': [2, 0.1, 10, 2.5],
  'openai/gpt-6.1-terra': [1, 0.05, 5, 1.25],
  'openai/o3': [2, 0.5, 8],
  'openai/o4-mini': [1.1, 0.275, 4.4],
  'anthropic/claude-fable-5': [10, 1, 50, 12.5],
  'anthropic/claude-opus-4': [5, 0.5, 25, 6.25],
  'anthropic/claude-opus-4-0': [15, 1.5, 75, 18.75],
  'anthropic/claude-opus-4-1': [15, 1.5, 75, 18.75],
  'anthropic/claude-opus-4-2025': [15, 1.5, 75, 18.75],
  'anthropic/claude-opus-5': [5, 0.5, 25, 6.25],
  'anthropic/claude-opus-5-5': [4, 0.2, 20, 5],
  'anthropic/claude-sonnet-4': [3, 0.3, 15, 3.75],
  'anthropic/claude-sonnet-5': [2, 0.2, 10, 2.5],
  'anthropic/claude-haiku-4-5': [1, 0.1, 5, 1.25],
  'anthropic/claude-haiku-5-5': [0.1, 0.01, 0.5, 0.125],
  'google/gemini-2.5-flash': [0.3, 0.03, 2.5],
  'google/gemini-2.5-flash-lite': [0.1, 0.01, 0.4],
  'google/gemini-2.5-pro': [1.25, 0.125, 10],
  'google/gemini-3-flash': [0.5, 0.05, 3],
  'google/gemini-3.1-flash-lite': [0.25, 0.025, 1.5],
  'google/gemini-3.1-pro': [2, 0.2, 12],
  'google/gemini-3.5-flash': [1.5, 0.15, 9],
  'google/gemini-3.5-flash-lite': [0.3, 0.03, 2.5],
  'google/gemini-3.6-flash': [0.75, 0.075, 3.75],
  'google/gemini-3.7-flash': [0.75, 0.075, 3.75],
  'google/gemini-3.8-flash': [0.75, 0.075, 3.75],
  'google/gemini-4': [4, 0.2, 20],
}

/** The prices of a model, by its id. An unknown model gets middle prices, so that its cost is never zero. */
export function pricesOf(id: string): Prices {
  if (/^(ollama\/|https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$))/.test(id)) return FREE
  const row = longestPrefix(PRICES, id)
  if (!row) return UNKNOWN
  const [input, cachedInput, output, cacheWrite] = row
  return { input, cachedInput, output, cacheWrite }
}

/** The estimated cost. Cached input is counted once, at the lower price. */
export function estimateUsd(usage: Omit<Usage, 'chargedUsd' | 'estimatedUsd'>, prices: Prices): number {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = usage
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens)
  return (
    (fresh * prices.input +
      cachedInputTokens * prices.cachedInput +
      cacheWriteTokens * (prices.cacheWrite ?? prices.input) +
      outputTokens * prices.output) /
    1_000_000
  )
}

/** The row whose key is the longest prefix of the name. */
export function longestPrefix<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  let best: string | undefined
  for (const prefix of Object.keys(table)) {
    if (name.startsWith(prefix) && prefix.length > (best?.length ?? 0)) best = prefix
  }
  return best === undefined ? undefined : table[best]
}
