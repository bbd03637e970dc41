/** A stretch of a text, or one character of it that a screen would not show, with its code: `U+202E`. */
export type TextPart = { readonly text: string } | { readonly character: string; readonly code: string }

/**
 * Characters that are invisible or change the order of others: they can hide or forge a text. Joiners between letters
 * and inside an emoji, and the mark that makes an emoji colourful, belong to normal writing.
 */
const INVISIBLE =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])|(?<=\p{Extended_Pictographic})\ufe0f|([^\P{Cc}\n\t]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Co}\ufff9-\ufffb])/gu

/** Splits a text at every character that a screen would not show. All parts together are the text. Pure. */
export function markInvisible(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(INVISIBLE)) {
    const character = match[1]
    if (character === undefined) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ character, code: codeOf(character) })
    from = match.index + character.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
