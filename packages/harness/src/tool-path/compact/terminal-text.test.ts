import { expect, it } from 'vitest'
import { dropOverwritten, stripTerminalCodes } from './terminal-text.ts'

const ESC = '\u001B'

it('terminal text loses colours, cursor movements, titles and links, and keeps its words', () => {
  const printed = `${ESC}[1;31mred${ESC}[0m ${ESC}[2K${ESC}[1A${ESC}]0;title\u0007up ${ESC}]8;;https://a.example${ESC}\\here${ESC}]8;;${ESC}\\${ESC}(B!`
  expect(stripTerminalCodes(printed)).toBe('red up here!')
})

it('terminal text keeps the words after an unclosed title', () => {
  expect(stripTerminalCodes(`a${ESC}]0;b\nc`)).toBe('a0;b\nc')
})

it('terminal text shows an overwritten line as a terminal does', () => {
  expect(dropOverwritten('10%\r50%\r100%')).toBe('100%')
  expect(dropOverwritten('100%\r')).toBe('100%')
  expect(dropOverwritten('plain')).toBe('plain')
})
