import type { Usage } from '@capstan/protocol'

/** One question to a model, outside any conversation and without tools. */
export interface Question {
  readonly system: string
  readonly prompt: string
  readonly signal: AbortSignal
  readonly maxOutputTokens: number
  readonly temperature?: number
}

/** The answer of a model, with its usage. */
export interface Answer {
  readonly text: string
  readonly usage: Usage
}

/** A model that answers single questions. */
export interface Asker {
  /** The id of the model, for the usage totals. */
  readonly model: string
  /** The context window in tokens; absent when unknown. */
  readonly contextWindow?: number
  /** Rejects with `ModelError`, or with the signal's reason when it was stopped. The caller counts the usage. */
  ask(question: Question): Promise<Answer>
}
