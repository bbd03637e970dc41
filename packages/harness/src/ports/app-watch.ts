/** Something that changed in an app. All of it is untrusted text. */
export type AppChange =
  /** An item has another content. Without a text it could not be read, or is gone. */
  | {
      readonly type: 'item'
      readonly id: string
      /** What the app or a fingerprint calls the state of now. */
      readonly version: string
      readonly title?: string
      readonly text?: string
    }
  /** Other items exist. Reported once at the beginning, too, with the state of then. */
  | {
      readonly type: 'list'
      readonly version: string
      /** Names of what is new, and of what is gone. Not all of many. */
      readonly added: readonly string[]
      readonly removed: readonly string[]
    }

/**
 * Listens to an app, and reports what changes, one after the other. Never resolves: it rejects when the signal is aborted, and
 * when the app can no longer be listened to. `NotTold` says that it never can.
 */
export type AppWatch = (report: (change: AppChange) => Promise<void>, signal: AbortSignal) => Promise<never>

/** The app does not tell of changes. */
export class NotTold extends Error {
  override readonly name = 'NotTold'
}
