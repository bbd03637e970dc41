import { expect, it } from 'vitest'
import { dropOverwritten, stripTerminalCodes } from './terminal-text.ts'

const ESC = '\u001B'

it('takes colours, movements, titles and links off, and leaves the words', () => {
  const printed = `${ESC}[1;31mred${ESC}[0m ${ESC}[2K${ESC}[1A${ESC}]0;title\u0007up ${ESC}]8;;https://a.example${ESC}\\here${ESC}]8;;${ESC}\\${ESC}(B!`
  expect(stripTerminalCodes(printed)).toBe('red up here!')
})

it('loses no words to a title that never ends', () => {
  expect(stripTerminalCodes(`a${ESC}]0;b\nc`)).toBe('a0;b\nc')
})

it('shows of a line that was written over what a terminal shows', () => {
  expect(dropOverwritten('10%\r50%\r100%')).toBe('100%')
  expect(dropOverwritten('100%\r')).toBe('100%')
  expect(dropOverwritten('plain')).toBe('plain')
})
