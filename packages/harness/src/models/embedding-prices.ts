import { longestPrefix } from './prices.ts'

// USD per million tokens. Published list prices as of November 2026.
const PRICES: Readonly<Record<string, number>> = {
  'openai/text-embedding-3-small': 0.02,
  'openai/text-embedding-3-large': 0.13,
  'openai/text-embedding-ada-002': 0.1,
  'google/gemini-embedding-001': 0.15,
}

/** The price of an embedding model. 0 where it is not known, or the model runs on this machine. */
export const embeddingPriceOf = (id: string): number => longestPrefix(PRICES, id) ?? 0
