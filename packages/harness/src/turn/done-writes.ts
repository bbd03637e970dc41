/** A write that succeeded. */
export interface DoneWrite {
  /** Of the tool, its app and its exact arguments. */
  readonly digest: string
  /** It sends something to somebody or acts in an app. */
  readonly isOutside?: true
}

/**
 * The writes that succeeded since the last message of a person. Shared by a run and all runs below it, so that none of
 * them is repeated unasked. What was sent stays sent; any other write may be repeated once something else was changed,
 * as in edit, test, edit, test.
 */
export class DoneWrites {
  readonly #outside = new Set<string>()
  #last: string | undefined

  note({ digest, isOutside }: DoneWrite): void {
    if (isOutside) this.#outside.add(digest)
    this.#last = digest
  }

  has(digest: string): boolean {
    return this.#last === digest || this.#outside.has(digest)
  }

  /** Nothing was done yet, so there is no need to look. */
  get isEmpty(): boolean {
    return this.#last === undefined
  }

  /** A person has written again: what they ask for now may be the same once more. */
  clear(): void {
    this.#outside.clear()
    this.#last = undefined
  }
}
