/** A line that the harness adds to a conversation. `text` is written for the model. */
export interface Notice {
  readonly text: string
  /** What the notice says, for a screen that shows it in its own words. Absent: the text is all there is. */
  readonly fact?: NoticeFact
}

/** What a notice is about. */
export type NoticeKind =
  | 'app-connected'
  | 'app-disconnected'
  /** The app has other accounts than before. */
  | 'app-accounts-changed'
  /** These apps can be connected from now on. */
  | 'apps-available'
  /** A sub-agent that was started without waiting has ended. */
  | 'agent-ended'
  /** Most of what the user may spend in a day or a month is used. */
  | 'spending-day'
  | 'spending-month'
  | 'tool-added'
  | 'tool-removed'

/** What changed, and for which app or tool. */
export interface NoticeFact {
  readonly kind: NoticeKind
  /**
   * What people call the app, or several apps with commas between them; or the name of the tool or of the sub-agent; or
   * what is spent of a limit.
   */
  readonly name: string
  /** The toolkit of the app. Absent for tools and for several apps. */
  readonly slug?: string
}
