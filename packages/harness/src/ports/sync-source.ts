/** What an app offers so that its items can be kept in memory. All of it is untrusted text. */
export interface SyncSource {
  /** `list`: every sync reads it from its beginning. `changes`: a sync begins where the last one ended. */
  readonly kind: 'list' | 'changes'
  /** Newest first, by the time of the last change: what follows an old page is older. Default false. */
  readonly isNewestFirst?: boolean
  /** What the cursors belong to. With another one, a sync begins anew. Default: always the same. */
  readonly key?: string
  /** What a whole sync is expected to need. Undefined when the app does not say how much it holds. */
  expect?(signal: AbortSignal): Promise<SyncExpectation | undefined>
  /** One page, from a cursor that an earlier page gave; without one, the first. One request. */
  page(cursor: string | undefined, signal: AbortSignal): Promise<SyncPage>
  /** The text of an item that its page lists without one. One request. Undefined: it is gone. */
  read?(entry: SyncEntry, signal: AbortSignal): Promise<SyncEntry | undefined>
}

/** What a sync is expected to need. */
export interface SyncExpectation {
  readonly items: number
  readonly requests: number
}

/** Some of the items of an app. */
export interface SyncPage {
  readonly entries: readonly SyncEntry[]
  /** Ids of items that are gone. With `list` it is absent: what a whole list does not name is gone. */
  readonly deleted?: readonly string[]
  /** The cursor of the next page. Absent: this was the last one. */
  readonly next?: string
  /** With `changes`, on the last page: where the next sync begins. */
  readonly resume?: string
  /** With `list`, on the last page: the app holds more and does not show it. What it does not name is not taken for gone. */
  readonly isPartial?: true
}

/** An item as its app describes it. */
export interface SyncEntry {
  /** The id in the app. */
  readonly id: string
  /** What the app calls this state of it. Absent: it is read at every sync, and `read` may say what its version is. */
  readonly version?: string
  /** When it was last changed, in milliseconds. */
  readonly at?: number
  readonly title?: string
  /** Absent: `read` gives it. */
  readonly text?: string
  readonly link?: string
  readonly people?: readonly string[]
}
