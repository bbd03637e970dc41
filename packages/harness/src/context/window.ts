import type { ModelReply } from '../turn/message/model-reply.ts'
import type { Conversation } from './conversation.ts'
import { estimateReply, estimateTextTokens } from './estimate-tokens.ts'

const WINDOW_LIMITS = {
  /** The share of the window from which the history is compacted. */
  compactAt: 0.9,
  /** The share of the window from which no request is sent. */
  exhaustedAt: 0.95,
  /** The share of our estimate below which a provider's count is not believed. */
  plausibleFrom: 0.4,
  /** After so many failed summaries in a row, no further one is requested. */
  maxSummaryFailures: 3,
}

/** How full the model's context is. An unknown window is never full. */
export class ContextWindow {
  #counted: { readonly tokens: number; readonly estimate: number } | undefined
  #summaryFailures = 0

  /**
   * Stores the provider's count and our estimate for the same messages: the history and the reply that will join it. A
   * count far below the estimate leaves something out, such as the part that a local runtime had in its cache; then the
   * estimate holds.
   */
  noteUsage({ usage, parts }: ModelReply, { history }: Conversation): void {
    const tokens = usage.inputTokens + usage.outputTokens
    if (tokens === 0) return
    const estimate = history.tokens + estimateReply(parts)
    this.#counted = tokens >= estimate * WINDOW_LIMITS.plausibleFrom ? { tokens, estimate } : undefined
  }

  noteSummary(result: 'made' | 'failed'): void {
    this.#summaryFailures = result === 'made' ? 0 : this.#summaryFailures + 1
  }

  /** The history was replaced, so the counted tokens no longer apply. */
  noteCompaction(): void {
    this.#counted = undefined
  }

  get summaries(): boolean {
    return this.#summaryFailures < WINDOW_LIMITS.maxSummaryFailures
  }

  /** The tokens of the next request: the last count plus an estimate of newer messages. */
  tokens({ system, history }: Conversation): number {
    const counted = this.#counted
    if (counted) return counted.tokens + Math.max(0, history.tokens - counted.estimate)
    return estimateTextTokens(system) + history.tokens
  }

  /** Too full to send a request. */
  isAtEdge(conversation: Conversation, window: number): boolean {
    return this.tokens(conversation) / window >= WINDOW_LIMITS.exhaustedAt
  }

  judge(conversation: Conversation, window: number | undefined): 'fits' | 'compact' | 'exhausted' {
    if (window === undefined) return 'fits'
    const isFull = this.tokens(conversation) / window >= WINDOW_LIMITS.compactAt
    if (isFull && this.summaries) return 'compact'
    return this.isAtEdge(conversation, window) ? 'exhausted' : 'fits'
  }
}

/** Tokens reserved for the answer: a tenth of the window, within bounds. */
export function reserveTokens(window: number): number {
  return Math.min(Math.max(window / 10, 512), Math.max(8_192, window / 4))
}
