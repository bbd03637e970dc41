/** A name in lower-case words: `GMAIL_FETCH_EMAILS`, `API-get-user`, `notion.searchPages`, `getHTTPStatus`. Pure. */
export function toNameWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}
