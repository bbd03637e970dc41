const MOST_CURSORS = 1_000

/** Follows the cursors of a list, so that one that leads back to an earlier page is noticed. */
export interface CursorTrail {
  /** The cursor of the page after the one at `cursor`. Throws when an earlier page led to it. */
  follow(cursor: string | undefined, next: string): string
}

/** A page may be asked for again: it then leads to the same page as before. A list that begins anew forgets the way. */
export function createCursorTrail(): CursorTrail {
  const ledFrom = new Map<string, string>()
  return {
    follow(cursor, next) {
      if (cursor === undefined) ledFrom.clear()
      const from = cursor ?? ''
      const before = ledFrom.get(next)
      if (before !== undefined && before !== from)
        throw new Error('the list leads back to a page that was read')
      if (ledFrom.size < MOST_CURSORS) ledFrom.set(next, from)
      return next
    },
  }
}
