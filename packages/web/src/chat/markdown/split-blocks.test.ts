import { describe, expect, it } from 'vitest'
import { splitBlocks } from './split-blocks.ts'

describe('splitBlocks', () => {
  it('ends a block at a blank line', () => {
    expect(splitBlocks('# One\n\ntwo\nthree\n\n\nfour\n')).toEqual(['# One', 'two\nthree', 'four'])
  })

  it('does not split a fence, however it is indented or long', () => {
    const code = '````ts\na\n\n```\n\nb\n````'
    expect(splitBlocks(`before\n\n${code}\n\nafter`)).toEqual(['before', code, 'after'])
  })

  it('does not split a fence that is still open', () => {
    expect(splitBlocks('text\n\n```js\nlet a\n\nlet b')).toEqual(['text', '```js\nlet a\n\nlet b'])
  })

  it('keeps a list with blank lines in one block', () => {
    const list = '1. one\n\n   more of it\n\n2. two'
    expect(splitBlocks(`${list}\n\nafter`)).toEqual([list, 'after'])
  })

  it('returns one block for a text with shared definitions', () => {
    const text = 'See [it][1].\n\n[1]: https://example.org'
    expect(splitBlocks(text)).toEqual([text])
  })

  it('changes only the last block while a text grows', () => {
    const text = 'One\n\n- a\n- b\n\n```\ncode\n\nmore\n```\n\nLast words of it'
    const whole = splitBlocks(text)
    for (let end = 1; end < text.length; end++) {
      const settled = splitBlocks(text.slice(0, end)).slice(0, -1)
      expect(settled).toEqual(whole.slice(0, settled.length))
    }
    expect(whole).toHaveLength(4)
  })

  it('returns no block for an empty text', () => {
    expect(splitBlocks(' \n\n')).toEqual([])
  })
})
