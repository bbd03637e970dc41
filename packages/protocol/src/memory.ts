import type { RunId, ThreadId } from './ids.ts'

/** What a person said to a fact. Only an accepted one reaches a model. */
export type FactStatus = 'proposed' | 'accepted' | 'rejected'

/** Where a fact is from. Absent parts: a person wrote it themselves. */
export interface FactOrigin {
  readonly threadId?: ThreadId
  readonly runId?: RunId
  readonly app?: string
  readonly link?: string
  /** The conversation had read text of others before: they may have caused it. */
  readonly isUntrusted?: true
}

/** Something to know about a person: a preference, a name, a standing instruction. */
export interface MemoryFact {
  readonly id: string
  /** One line. */
  readonly text: string
  readonly status: FactStatus
  readonly origin: FactOrigin
  readonly createdAt: number
  readonly changedAt: number
}

/** All facts of a user, newest first. */
export interface FactList {
  readonly facts: readonly MemoryFact[]
  /** How many accepted facts new threads do not know because not all fit. They are the oldest. */
  readonly leftOut: number
}

/** What the web app and programs see of an item of an app. All of it is text of others. */
export interface MemoryItemRow {
  readonly id: string
  readonly app: string
  readonly account?: string
  readonly at: number
  readonly title: string
  readonly text: string
  readonly link?: string
  readonly people: readonly string[]
  readonly seenAt: number
}

/** Items of apps, newest first. Their texts are cut; one item has its whole text. */
export interface MemoryPage {
  readonly items: readonly MemoryItemRow[]
  readonly hasMore: boolean
}

/** A piece of a text, and whether a word that was searched for stands there. */
export interface MarkedText {
  readonly text: string
  readonly isMatch: boolean
}

/** An item that a search found. `isWeak`: it shares some words and often does not hold the answer. */
export interface MemoryHitRow {
  readonly item: MemoryItemRow
  readonly score: number
  readonly isWeak: boolean
  /** Its title as one line. */
  readonly title: readonly MarkedText[]
  /** The stretch of its text that has most of the words, else its beginning. */
  readonly excerpt: readonly MarkedText[]
}

/** Where items are from, and how many. */
export interface MemorySourceRow {
  readonly app: string
  readonly account?: string
  readonly count: number
}

/** All of an app, or of one of its accounts, was forgotten. */
export interface ForgottenApp {
  /** How many items. */
  readonly forgotten: number
  /** The connections whose syncs are on and bring the items back. */
  readonly stillSynced?: readonly string[]
}

/** What a person changes about a fact. */
export interface FactPatch {
  readonly text?: string
  readonly status?: 'accepted' | 'rejected'
}

/** An item that a program adds to memory. */
export interface MemoryItemPost extends Omit<MemoryItemRow, 'seenAt'> {
  readonly externalId: string
  readonly version?: string
  readonly seenAt?: number
}

/** The most items that are added at once. */
export const MAX_ITEMS_ADDED = 200
/** The most items that are forgotten at once by their ids. */
export const MAX_ITEMS_FORGOTTEN = 200
/** The most characters of the text of an item in a list. */
export const MAX_LISTED_CHARS = 500
/** The most characters of a fact. */
export const MAX_FACT_CHARS = 500
/** The most facts of a user, whatever their status. */
export const MAX_FACTS = 200
