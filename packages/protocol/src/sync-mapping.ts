/**
 * How the answers of two actions of an MCP server become items in memory: one lists or searches them, and one reads an item whose
 * text the list leaves out. Only actions that count as `read` are called.
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
    readonly version?: string
    /** An ISO time, or milliseconds or seconds since 1970. */
    readonly at?: string
    readonly title?: string
    readonly text?: string
    readonly link?: string
    /** A name, or a list of names. */
    readonly people?: string
  }
}
