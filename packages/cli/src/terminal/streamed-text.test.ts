import { describe, expect, it } from 'vitest'
import { StreamedText } from './streamed-text.ts'

function printed(text: string, chunk: number, width: number): string {
  const streamed = new StreamedText()
  const lines: string[] = []
  for (let at = 0; at < text.length; at += chunk)
    lines.push(...streamed.push(text.slice(at, at + chunk), width))
  return [...lines, ...streamed.end(width)].join('\n')
}

describe('StreamedText', () => {
  it.each([1, 2, 7, 1000])('gives the same lines for pieces of %i characters', (chunk) => {
    const text = 'The ferry leaves at 18:40.\n\nTo pack:\n- rain jacket\n- torch'
    expect(printed(text, chunk, 14)).toBe('The ferry\nleaves at\n18:40.\n\nTo pack:\n- rain jacket\n- torch')
    expect(printed(text, chunk, Infinity)).toBe(text)
  })

  it('leaves out blank lines at the start and the end', () => {
    expect(printed('\n\n  \nHello.\n\n\n', 3, 40)).toBe('Hello.')
  })

  it('shows the open line, with the blank lines above it', () => {
    const streamed = new StreamedText()
    expect(streamed.push('One.\n\nTw', 40)).toEqual(['One.'])
    expect(streamed.open(40)).toEqual(['', 'Tw'])
    expect(streamed.push('o.\n', 40)).toEqual(['', 'Two.'])
    expect(streamed.open(40)).toEqual([])
  })

  it('removes an escape that arrives in two pieces', () => {
    expect(printed('a\u001b[31mb', 2, 40)).toBe('ab')
  })
})
