import { describe, expect, it } from 'vitest'
import { markMatches } from './mark-matches.ts'

const marked = (text: string, query: string): string =>
  markMatches(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

describe('markMatches', () => {
  it('marks every word of the query in any case', () => {
    expect(marked('Rope and ropes, a Winch', 'winch ROPE')).toBe('[Rope] and [rope]s, a [Winch]')
  })

  it('treats characters of a pattern as text', () => {
    expect(marked('a.b (c) [d] a-b', '. ( [d]')).toBe('a[.]b [(]c) [[d]] a-b')
  })

  it('marks nothing without a query', () => {
    expect(marked('Rope', '  ')).toBe('Rope')
  })

  it('marks other scripts', () => {
    expect(marked('Канат и лебёдка', 'КАНАТ')).toBe('[Канат] и лебёдка')
  })
})
