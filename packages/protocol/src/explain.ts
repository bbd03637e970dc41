import type { Failure } from './failure.ts'

/** A line of the report of a run. */
export interface ExplainLine {
  /** Absent: a plain line. A call's line has how it ended. */
  readonly kind?:
    | 'heading'
    | 'fact'
    | 'step'
    | 'note'
    | 'reason'
    | 'ok'
    | 'failed'
    | 'stopped'
    | 'unknown'
    | 'waiting'
    | 'running'
  readonly depth: number
  /** In English. */
  readonly text: string
  /** The same for a screen that has its own words, one after the other. Empty: the line above says it too. */
  readonly parts?: readonly ExplainPart[]
  /** How long it took, in words. */
  readonly time?: string
  readonly durationMs?: number
}

/** One thing that a line of a report says: which of its words, and what is filled in. */
export interface ExplainPart {
  readonly key: ExplainKey
  readonly values?: Readonly<Record<string, string | number>>
  readonly failure?: Failure
}

/** What a line of a report can say. `text` is a name, or what a person or the model wrote. */
export const EXPLAIN_KEYS = [
  'text',
  'section-asked',
  'section-who',
  'section-happened',
  'section-cost',
  'section-ending',
  'section-prefix',
  'section-failures',
  'continued',
  'agent',
  'at',
  'took',
  'so-far',
  'waited',
  'steps',
  'calls',
  'not-run',
  'nothing',
  'step',
  'again',
  'tokens',
  'said',
  'said-cut',
  'begun',
  'call-not-run',
  'unknown',
  'answer',
  'asking',
  'connecting',
  'after',
  'failure',
  'retry',
  'notice',
  'nudge',
  'message',
  'delivered',
  'next-turn',
  'refused',
  'not-delivered',
  'compaction',
  'prefix',
  'stale',
  'resumed',
  'restarted',
  'status',
  'cut',
  'can-continue',
  'limit',
  'cost',
  'model-calls',
  'estimated',
  'of-which',
  'kept-all',
  'failure-class',
] as const

export type ExplainKey = (typeof EXPLAIN_KEYS)[number]
