import { expect, it } from 'vitest'
import { base64Bytes, describeBlock } from './describe-block.ts'

it('the size of base64 does not count the padding', () => {
  expect(['', 'YQ==', 'YWI=', 'YWJj'].map(base64Bytes)).toEqual([0, 1, 2, 3])
})

it('an image of 5 MB of padding is described at once', () => {
  const block = { type: 'image', mimeType: 'image/png', data: `${'='.repeat(5_000_000)}x` } as const
  expect(describeBlock(block)).toMatch(/^\[image: image\/png, 3\.\d MB\]$/)
})
