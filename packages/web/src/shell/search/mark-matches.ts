export interface MarkedPart {
  readonly text: string
  readonly isMatch: boolean
}

/** The text in parts. Parts that match a word of the query are marked, in any case. The joined parts are the text. */
export function markMatches(text: string, query: string): readonly MarkedPart[] {
  const words = query.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return [{ text, isMatch: false }]
  const longestFirst = words.toSorted((one, other) => other.length - one.length).map(escape)
  const pattern = new RegExp(`(${longestFirst.join('|')})`, 'giu')
  return text
    .split(pattern)
    .map((part, at) => ({ text: part, isMatch: at % 2 === 1 }))
    .filter((part) => part.text !== '')
}

function escape(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
