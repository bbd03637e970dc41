import type { Usage } from '@capstan/protocol'
import type { Conversation } from './conversation.ts'
import { estimateTextTokens } from './estimate-tokens.ts'

export const WINDOW_LIMITS = {
  /** From here on the history is compacted. */
  compactAt: 0.9,
  /** From here on a request is not worth sending. */
  exhaustedAt: 0.95,
  /** So many failed summaries in a row, and none is asked for any more. */
  maxSummaryFailures: 3,
}

/** How full the model's context is. With an unknown window it never says a word. */
export class ContextWindow {
  #counted: { tokens: number; history: number } | undefined
  #summaryFailures = 0

  /** What the provider counted, and the estimate of the history at that moment. */
  noteUsage(usage: Usage, conversation: Conversation): void {
    const tokens = usage.inputTokens + usage.outputTokens
    if (tokens > 0) this.#counted = { tokens, history: conversation.history.tokens }
  }

  noteSummary(result: 'made' | 'failed'): void {
    this.#summaryFailures = result === 'made' ? 0 : this.#summaryFailures + 1
    if (result === 'made') this.#counted = undefined
  }

  get summaries(): boolean {
    return this.#summaryFailures < WINDOW_LIMITS.maxSummaryFailures
  }

  /** Tokens of the next request: what was last counted plus an estimate of what came since. */
  tokens({ system, history }: Conversation): number {
    const counted = this.#counted
    if (counted && history.tokens >= counted.history) return counted.tokens + history.tokens - counted.history
    return estimateTextTokens(system) + history.tokens
  }

  judge(conversation: Conversation, window: number | undefined): 'fits' | 'compact' | 'exhausted' {
    if (window === undefined) return 'fits'
    const utilisation = this.tokens(conversation) / window
    if (utilisation >= WINDOW_LIMITS.compactAt && this.summaries) return 'compact'
    return utilisation >= WINDOW_LIMITS.exhaustedAt ? 'exhausted' : 'fits'
  }
}

/** Tokens kept free for the answer: a tenth of the window, within sensible bounds. */
export function reserveTokens(window: number): number {
  return Math.min(Math.max(window / 10, 512), Math.max(8_192, window / 4))
}
