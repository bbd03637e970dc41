import type { ModelReply } from '../turn/model-reply.ts'
import type { Conversation } from './conversation.ts'
import { estimateReply, estimateTextTokens } from './estimate-tokens.ts'

const WINDOW_LIMITS = {
  /** From here on the history is compacted. */
  compactAt: 0.9,
  /** From here on a request is not worth sending. */
  exhaustedAt: 0.95,
  /** So many failed summaries in a row, and none is asked for any more. */
  maxSummaryFailures: 3,
}

/** How full the model's context is. With an unknown window it never says a word. */
export class ContextWindow {
  #counted: { readonly tokens: number; readonly estimate: number } | undefined
  #summaryFailures = 0

  /** What the provider counted, and our estimate of the same: the history, and the reply that will join it. */
  noteUsage({ usage, parts }: ModelReply, { history }: Conversation): void {
    const tokens = usage.inputTokens + usage.outputTokens
    if (tokens > 0) this.#counted = { tokens, estimate: history.tokens + estimateReply(parts) }
  }

  noteSummary(result: 'made' | 'failed'): void {
    this.#summaryFailures = result === 'made' ? 0 : this.#summaryFailures + 1
  }

  /** The history was replaced: what was counted is no part of it any more. */
  noteCompaction(): void {
    this.#counted = undefined
  }

  get summaries(): boolean {
    return this.#summaryFailures < WINDOW_LIMITS.maxSummaryFailures
  }

  /** Tokens of the next request: what was last counted plus an estimate of what came since. */
  tokens({ system, history }: Conversation): number {
    const counted = this.#counted
    if (counted) return counted.tokens + Math.max(0, history.tokens - counted.estimate)
    return estimateTextTokens(system) + history.tokens
  }

  /** So full that a request is not worth sending. */
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

/** Tokens kept free for the answer: a tenth of the window, within sensible bounds. */
export function reserveTokens(window: number): number {
  return Math.min(Math.max(window / 10, 512), Math.max(8_192, window / 4))
}
