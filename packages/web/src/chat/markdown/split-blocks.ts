/**
 * Splits Markdown into blocks, so that only the last block of a growing text is parsed again. The blocks joined with
 * blank lines mean the same as the whole. A text with shared definitions, such as footnotes, stays one block.
 */
export function splitBlocks(text: string): readonly string[] {
  if (DEFINITION.test(text)) return [text]
  const blocks: string[] = []
  let lines: string[] = []
  let fence: string | undefined
  let afterBlank = false
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    if (fence === undefined && afterBlank && !isBlank && !continues(line, lines)) {
      blocks.push(lines.join('\n').trimEnd())
      lines = []
    }
    const mark = FENCE.exec(line)?.[1]
    if (mark !== undefined) {
      if (fence === undefined) fence = mark
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined
    }
    afterBlank = isBlank && lines.length > 0
    if (!isBlank || lines.length > 0) lines.push(line)
  }
  const rest = lines.join('\n').trimEnd()
  if (rest !== '') blocks.push(rest)
  return blocks
}

const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/

/** Text after a blank line may belong to the list above it. */
function continues(line: string, above: readonly string[]): boolean {
  if (/^(?: {2,}|\t)/.test(line)) return true
  return LIST_ITEM.test(line) && LIST_ITEM.test(above[0] ?? '')
}
