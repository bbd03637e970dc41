import type { MemoryItem } from '../user-memory.ts'

type Text = Pick<MemoryItem, 'title' | 'text'>

const MAX_CHARS = 1_000
/** With more of them an item would cost as much as a book. */
const MAX_PASSAGES = 8
/** A shorter paragraph says too little by itself. */
const MIN_CHARS = 80

/** What of an item is embedded: its beginning, then its paragraphs, each with the title. The same for the same text. */
export function toPassages({ title, text }: Text): string[] {
  const paragraphs = joinShort(
    text
      .slice(0, MAX_CHARS * MAX_PASSAGES)
      .split(/\n\s*\n/)
      .map((one) => one.trim()),
  )
  const whole = `${title}\n${text}`
  const parts = paragraphs.length > 1 ? paragraphs.map((one) => `${title}. ${one}`) : []
  return [whole, ...parts]
    .slice(0, MAX_PASSAGES)
    .map((passage) => passage.slice(0, MAX_CHARS).toWellFormed().trim())
    .filter((passage) => passage !== '')
}

/** Whether both have the same vectors. */
export const hasSameText = (a: Text, b: Text): boolean => a.title === b.title && a.text === b.text

function joinShort(paragraphs: readonly string[]): string[] {
  const joined: string[] = []
  for (const paragraph of paragraphs) {
    const last = joined.at(-1)
    if (last !== undefined && last.length < MIN_CHARS) joined.splice(-1, 1, `${last}\n${paragraph}`.trim())
    else if (paragraph !== '') joined.push(paragraph)
  }
  return joined
}
