import { expect, it } from 'vitest'
import { ClippedText } from './clipped-text.ts'

const clip = (maxChars: number, ...pieces: readonly string[]) => {
  const text = new ClippedText(maxChars)
  for (const piece of pieces) text.add(piece)
  return text.toString()
}

it.each([[['short']], [['a', 'b', 'c']], [['0123456789']], [['01234', '56789']], [[]], [['', '']]] as const)(
  'clipped text keeps all of %j that fits',
  (pieces) => {
    expect(clip(10, ...pieces)).toBe(pieces.join(''))
  },
)

it.each([
  [['0123456789ab']],
  [['0123', '456789ab']],
  [Array.from('0123456789ab')],
  [['01234567', '8', '9ab']],
])('clipped text keeps both ends of %j and counts what is missing', (pieces) => {
  expect(clip(10, ...pieces)).toBe('01234\n[… 2 characters left out …]\n789ab')
})

it('clipped text splits no character', () => {
  expect(clip(10, `abcd😀${'x'.repeat(10)}😀wxyz`)).toBe('abcd\n[… 14 characters left out …]\nwxyz')
})

it('clipped text holds little of a long text', () => {
  const text = new ClippedText(1_000)
  const before = process.memoryUsage().heapUsed
  for (let piece = 0; piece < 200_000; piece++) text.add(`line ${piece} of very many that nobody will read\n`)
  expect(text.toString().length).toBeLessThan(1_100)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
})
