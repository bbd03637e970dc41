import type { Failure } from './failure.ts'
import type { ThreadId } from './ids.ts'

/** Services whose calls are understood, and `generic` for programs of one's own. */
export const WEBHOOK_KINDS = ['generic', 'github', 'stripe', 'slack', 'linear', 'composio'] as const
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]

/** Where triggers come from. `sync`: new and changed items of a synced app. `resource`: what a connected app tells of. */
export const TRIGGER_SOURCE_KINDS = [...WEBHOOK_KINDS, 'sync', 'resource'] as const
export type TriggerSourceKind = (typeof TRIGGER_SOURCE_KINDS)[number]

/** What can become of a trigger. */
export const TRIGGER_ACTIONS = ['drop', 'acknowledge', 'react', 'escalate'] as const
export type TriggerAction = (typeof TRIGGER_ACTIONS)[number]

/** Hours of the day in which nothing is judged. `from` and `to` are `HH:MM`; `to` may be on the next day. */
export interface QuietHours {
  readonly from: string
  readonly to: string
  /** An IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string
}

/** What the triggers of a source may use in a day. What comes later waits for the next day. */
export interface TriggerBudget {
  readonly usd: number
  /** Turns that are started. */
  readonly runs: number
}

/** What a person decides about a source. */
export interface TriggerSourceFields {
  readonly name: string
  /** In plain words: "only from my boss". */
  readonly rule: string
  /** Switched off: what comes in is dropped, and no model sees it. */
  readonly isOff: boolean
  readonly quietHours: QuietHours | null
  readonly budget: TriggerBudget
  /** Turns start in this thread. Null: each in a thread of its own. */
  readonly threadId: ThreadId | null
}

/** A source of triggers, as screens show it. Never with its secret. */
export interface TriggerSource extends TriggerSourceFields {
  readonly id: string
  readonly kind: TriggerSourceKind
  /** Where calls arrive: a path of this server. Absent for a `sync` and a `resource`. */
  readonly path?: string
  /** The connection of a `sync` or a `resource`. */
  readonly connectionId?: string
  readonly createdAt: number
  /** What was said to be wrong so far, and is shown to the model. */
  readonly examples: number
  /** What was used today. */
  readonly used: TriggerBudget
}

/** A source to be created. */
export interface TriggerSourcePost extends Partial<TriggerSourceFields> {
  readonly kind: TriggerSourceKind
  readonly name: string
  /** The one that the service shows. Absent: one is made. */
  readonly secret?: string
  readonly connectionId?: string
}

/** A source that was just created, or has a new secret: the only time that the secret is shown. */
export interface TriggerSourceCreated {
  readonly source: TriggerSource
  readonly secret?: string
}

/** What holds for all sources of a user. */
export interface TriggerSettings {
  /** Everything that comes in is dropped. */
  readonly isOff: boolean
  /** The model that judges. Empty: the model of the settings. */
  readonly model: string
}

/** What a source has sent. */
export interface TriggerSourceCalls {
  readonly sourceId: string
  readonly lastAt: number
  /** Decisions of today (UTC). */
  readonly decidedToday: number
}

/** Sources, and what holds for all of them. */
export interface TriggerSourceList {
  readonly settings: TriggerSettings
  readonly sources: readonly TriggerSource[]
  /** Of the sources that called lately: among the last 1,000 calls of the user. */
  readonly calls: readonly TriggerSourceCalls[]
}

/** A trigger that the person said was decided wrong. Label and payload were written by others. */
export interface TriggerExample {
  readonly triggerId: string
  readonly label: string
  readonly payload: string
  readonly right: TriggerAction
  readonly note?: string
  /** The model sees it with the next trigger. Older ones are kept and not shown. */
  readonly isShown: boolean
}

/** The examples of a source, newest first. */
export interface TriggerExampleList {
  readonly examples: readonly TriggerExample[]
}

/** Why a trigger is not decided, or its turn not started. */
export type TriggerWait = 'quiet-hours' | 'budget' | 'model' | 'busy' | 'held'

/** What became of a trigger, and why. */
export interface TriggerDecision {
  readonly action: TriggerAction
  /** The model's words; untrusted. Empty for a switch. */
  readonly reason: string
  /** Which attempt answered. `switch`: it was switched off. `removed`: its source was removed. */
  readonly by: 'first' | 'retry' | 'fallback' | 'switch' | 'removed'
  /** Absent when no model was asked. */
  readonly model?: string
  readonly at: number
}

/** How the turn of a trigger stands. */
export interface TriggerOutcome {
  readonly type: 'running' | 'waits' | 'done' | 'capped' | 'failed' | 'gone'
  /** The answer, cut. Untrusted. */
  readonly text?: string
}

/** What a person says would have been right. */
export interface TriggerFeedback {
  readonly right: TriggerAction
  readonly note?: string
  readonly at: number
}

/** One trigger, as the Activity page shows it. Label and payload were written by others. */
export interface TriggerRow {
  readonly id: string
  readonly sourceId: string
  readonly sourceName: string
  readonly label: string
  readonly receivedAt: number
  readonly status: 'waiting' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled'
  readonly waitsFor?: TriggerWait
  /** When it is looked at again. */
  readonly nextAt?: number
  readonly decision?: TriggerDecision
  /** Of the judgement, and of the turn once it has ended. */
  readonly costUsd: number
  readonly threadId?: ThreadId
  readonly outcome?: TriggerOutcome
  readonly feedback?: TriggerFeedback
  /** Why no model answered, or what went wrong. */
  readonly failure?: Failure
}

/** One trigger with what came in. */
export interface TriggerDetail extends TriggerRow {
  readonly payload: string
}

/** A page of triggers, newest first. */
export interface TriggerPage {
  readonly triggers: readonly TriggerRow[]
  /** The `after` of the next page. Absent: this is the last one. */
  readonly next?: string
}
