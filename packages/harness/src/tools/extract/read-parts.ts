import type { ArtifactStore } from '../../ports/artifact-store.ts'
import { MarkupCleaner } from './clean-markup.ts'

const SLICE_BYTES = 64 * 1024
/** A part ends where a line ends, if one does within so many characters of its limit. */
const LINE_CHARS = 2_000

/** A part of a stored result, ready to be read. */
export interface Part {
  readonly text: string
  /** Bytes of the stored result up to the end of this part, roughly. */
  readonly upTo: number
}

/**
 * A stored result, cleaned and cut into parts of at most `maxChars`. Never holds more than one part and a little.
 * Throws when the result is removed meanwhile.
 */
export async function* readParts(
  artifacts: ArtifactStore,
  { threadId, id }: { readonly threadId: string; readonly id: string },
  maxChars: number,
): AsyncGenerator<Part> {
  const cleaner = new MarkupCleaner()
  let held = ''
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const slice = await artifacts.read(threadId, id, { offset, maxBytes: SLICE_BYTES })
    if (!slice) throw new Error('The stored result was removed while it was read.')
    offset = slice.nextOffset
    held += cleaner.push(slice.text)
    if (offset === undefined) held += cleaner.end()
    while (held.length > maxChars) {
      const end = endOfPart(held, maxChars)
      yield { text: held.slice(0, end).trim(), upTo: offset ?? slice.bytes }
      held = held.slice(end)
    }
    if (offset === undefined && held.trim() !== '') yield { text: held.trim(), upTo: slice.bytes }
  }
}

function endOfPart(text: string, maxChars: number): number {
  const line = text.lastIndexOf('\n', maxChars)
  if (line > 0 && line >= maxChars - LINE_CHARS) return line
  const word = text.lastIndexOf(' ', maxChars)
  if (word > 0 && word >= maxChars - LINE_CHARS) return word
  const code = text.charCodeAt(maxChars - 1)
  return code >= 0xd8_00 && code <= 0xdb_ff ? maxChars - 1 : maxChars
}
