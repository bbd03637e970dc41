import type { Usage } from '@capstan/protocol'

/** One thing to ask a model, beside every conversation and without tools. */
export interface Question {
  readonly system: string
  readonly prompt: string
  readonly signal: AbortSignal
  readonly maxOutputTokens: number
  readonly temperature?: number
}

export interface Answer {
  readonly text: string
  readonly usage: Usage
}

/** A model that can be asked one thing at a time. */
export interface Asker {
  /** Who is paid for it. */
  readonly model: string
  /** Tokens it can read; absent when unknown. */
  readonly contextWindow?: number
  /** Rejects with `ModelError`, or with the signal's reason when it was stopped. Counts nothing: the caller does. */
  ask(question: Question): Promise<Answer>
}
