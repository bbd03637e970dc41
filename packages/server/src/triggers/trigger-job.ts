import { hash } from 'node:crypto'
import type { JsonValue } from '@capstan/harness/seams'
import type { JobRow } from '@capstan/harness/stores'
import type { Envelope } from '@capstan/harness/triage'
import type {
  ThreadId,
  TriggerDecision,
  TriggerFeedback,
  TriggerOutcome,
  TriggerWait,
} from '@capstan/protocol'
import type { Reservation } from './daily-budget.ts'

export const TRIGGER_JOB = 'trigger'

/** What a job of kind `trigger` is about. */
export interface TriggerBody {
  readonly sourceId: string
  readonly envelope: Envelope
  /** Added by the person later. */
  readonly feedback?: TriggerFeedback
}

/** What its handler keeps. */
export interface TriggerState {
  readonly waitsFor?: TriggerWait
  /** How often no model answered, in a row. */
  readonly deferrals: number
  readonly costUsd: number
  readonly decision?: TriggerDecision & { readonly prompt?: string }
  /** Taken from the budget for the turn. */
  readonly reserved?: Reservation
  readonly threadId?: ThreadId
  readonly outcome?: TriggerOutcome
  /** How often the running turn was looked at. */
  readonly looks?: number
}

const NEW: TriggerState = { deferrals: 0, costUsd: 0 }

// The store gives back what was written here: only this file and the handler write these rows.
export const bodyOf = ({ body }: Pick<JobRow, 'body'>): TriggerBody => body as unknown as TriggerBody
export const stateOf = ({ state }: Pick<JobRow, 'state'>): TriggerState =>
  state === null ? NEW : (state as unknown as TriggerState)
export const toJson = (value: TriggerBody | TriggerState): JsonValue => value as unknown as JsonValue

/** The same occurrence of the same source has the same id, so it is stored once. The raw id counts, however long or odd. */
export const triggerIdOf = (sourceId: string, externalId: string): string =>
  `trigger_${hash('sha256', JSON.stringify([sourceId, externalId])).slice(0, 40)}`
