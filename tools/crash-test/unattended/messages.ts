import type { Fault } from '@capstan/harness/testing'
import type { MisfireRule, ScheduleRow, TriggerDetail, WebhookKind } from '@capstan/protocol'
import type { AppKind } from './synced-app.ts'

/** A schedule of a round. Its times are told in words, so that the judge can find them by another way. */
export interface PlannedSchedule {
  readonly name: string
  readonly when: string
  readonly zone: string
  readonly misfire: MisfireRule
  readonly prompt: string
}

/** What a person sets up before the first kill. */
export interface SetUp {
  readonly schedules: readonly PlannedSchedule[]
  readonly kinds: readonly WebhookKind[]
  readonly apps: readonly AppKind[]
  /** Pages of one run of a sync. */
  readonly pages: number
}

/** What a process is started with. */
export interface NodeSettings {
  readonly folder: string
  /** Where it is noted what is stored in memory. */
  readonly notes: string
  readonly effects: string
  readonly answers: string
  readonly appUrl: string
  /** How far its clock is ahead of the real one. */
  readonly aheadMs: number
  readonly faults: readonly Fault[]
}

/** What the parent asks of a process. */
export type Request =
  | { readonly type: 'set-up'; readonly setUp: SetUp }
  | { readonly type: 'jump'; readonly aheadMs: number }
  | { readonly type: 'look' }
  /** A person answers every open question. */
  | { readonly type: 'answer' }
  /** When the apps were synced. */
  | { readonly type: 'syncs' }
  /** What screens show at the end. */
  | { readonly type: 'tell' }

/** What was set up. */
export interface SetUpReply {
  /** The addresses of the hooks, by kind. */
  readonly paths: Readonly<Partial<Record<WebhookKind, string>>>
  /** Ids by name, and since when due times count. */
  readonly schedules: Readonly<Record<string, { readonly id: string; readonly since: number }>>
}

/** Whether everything that is due was done. */
export interface LookReply {
  readonly isSettled: boolean
  /** When the next thing is due. */
  readonly nextAt?: number
  /** What is not done, for whoever reads a stuck round. */
  readonly left: readonly string[]
}

/** When each app was last synced to its end. */
export type SyncsReply = Readonly<Partial<Record<AppKind, number>>>

/** What screens show. */
export interface Told {
  readonly schedules: readonly ScheduleRow[]
  readonly triggers: readonly TriggerDetail[]
}

export type ParentMessage =
  | { readonly type: 'start'; readonly settings: NodeSettings }
  | { readonly type: 'ask'; readonly id: number; readonly request: Request }

export type NodeMessage =
  | { readonly type: 'up'; readonly url: string }
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly type: 'problem'; readonly text: string; readonly isFatal: boolean }
