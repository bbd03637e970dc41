const ESCAPE = '\u001B'
// Titles and links of a terminal, which have an end; colours and movements; everything shorter; an escape alone.
// Bounded, because `stripVTControlCharacters` of Node takes minutes for a megabyte of titles that never end.
const CODES =
  // oxlint-disable-next-line no-control-regex
  /\u001B[\]PX^_][^\u0007\u001B\n]{0,2048}(?:\u0007|\u001B\\)|\u001B\[[0-?]{0,64}[ -/]{0,4}[@-~]|\u001B[ -/]{0,4}[0-~]|\u001B/g

/** Whether a text has terminal control codes. */
export function hasTerminalCodes(text: string): boolean {
  return text.includes(ESCAPE)
}

/** The text without colours, cursor movements and carriage returns at the end of lines: all that can be read stays. */
export function stripTerminalCodes(text: string): string {
  const plain = hasTerminalCodes(text) ? text.replaceAll(CODES, '') : text
  return plain.includes('\r\n') ? plain.replaceAll('\r\n', '\n') : plain
}

/** The line as a terminal shows it in the end: what was written over is gone. */
export function dropOverwritten(line: string): string {
  if (!line.includes('\r')) return line
  const written = line.trimEnd()
  return written.slice(written.lastIndexOf('\r') + 1)
}
