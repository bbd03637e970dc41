/** A name in lower-case words: `GMAIL_FETCH_EMAILS`, `API-get-user`, `notion.searchPages`, `getHTTPStatus`. Pure. */
export function toNameWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/**
 * The same name cut at every change of case and at every digit: `get_DELETEuser` has the word `delete`, and so has
 * `user_delete2`. Wide and styled letters are read as plain ones. Pure.
 */
export function toCaseWords(name: string): readonly string[] {
  return (
    name
      .normalize('NFKC')
      .match(/[A-Z]+|[a-z]+/g)
      ?.map((word) => word.toLowerCase()) ?? []
  )
}

/** Whether a name has letters that our table cannot read, or characters that are not shown. */
export const hasOtherLetters = (name: string): boolean => /[^\x20-\x7e]/.test(name.normalize('NFKC'))
