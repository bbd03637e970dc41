/**
 * How the answers of two actions of an app become items in memory: one lists or searches them, and one reads an item whose
 * text the list leaves out. Only actions that count as `read` are called. A path such as `data.results` says where an answer
 * holds something: `*` stands for every name or place, and `.` for the answer itself.
 */
export interface SyncMapping {
  readonly list: {
    readonly action: string
    readonly args?: { readonly [name: string]: unknown }
    /** The argument that takes the cursor of a page. Absent: the list has one page. */
    readonly cursor?: string
    /** Where the answer holds the items, such as `pages` or `data.results`. */
    readonly items: string
    /** Where it holds the cursor of the next page. */
    readonly next?: string
    /** In place of `next`: where it holds how many pages there are. The cursor then counts them, from 1. */
    readonly pages?: string
    /** The app shows no more pages than this. Items behind them stay in memory. */
    readonly mostPages?: number
    /** Where it holds how many items there are in all. */
    readonly total?: string
    /** Whether the item that was changed last comes first. */
    readonly isNewestFirst?: boolean
  }
  /** Absent: the list has the texts. */
  readonly read?: {
    readonly action: string
    /** The argument that takes the id of an item. */
    readonly id: string
    /** Where the answer holds the item. Absent: it is the item. */
    readonly item?: string
  }
  /** Where an item holds each of these. */
  readonly fields: {
    readonly id: string
    /** Absent: another text is another version. */
    readonly version?: string
    /** An ISO time, or milliseconds or seconds since 1970. */
    readonly at?: string
    /** Of a list of texts: all of them. */
    readonly title?: string
    readonly text?: string
    readonly link?: string
    /** A name, or a list of names. */
    readonly people?: string
  }
}
