export interface Page {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Goes up by one with each change. */
  readonly version: number
}

/** One page that changed, for a program that keeps a copy. A deleted page has no text. */
export interface PageChange {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  readonly deleted: boolean
  readonly text?: string
}

export type NotesErrorCode =
  | 'page_not_found'
  | 'version_conflict'
  | 'page_too_large'
  | 'notebook_full'
  | 'key_reused'

/** The notebook says no. The message is for people and names no secret. */
export class NotesError extends Error {
  override readonly name = 'NotesError'
  readonly code: NotesErrorCode

  constructor(code: NotesErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
