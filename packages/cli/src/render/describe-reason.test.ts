import { expect, it } from 'vitest'
import { describeReason } from './describe-reason.ts'

it('a reason names the page, the app and the file that were read, and the destination', () => {
  const lines = describeReason({
    kind: 'data-flow',
    sources: [
      { tool: 'web_fetch', name: 'https://example.com/offer?id=1' },
      { tool: 'GMAIL_FETCH', app: 'Gmail' },
      { tool: 'read_file', name: 'notes.md' },
      { tool: 'look' },
    ],
    destinations: ['eve@evil.example'],
  })
  expect(lines).toEqual([
    'It asks because the conversation has read private data and text that others can write.',
    'It comes after reading a page from example.com; in Gmail; notes.md; a result of look.',
    'It would go to eve@evil.example.',
  ])
})

it('a reason cannot move the cursor of the terminal', () => {
  const [, line] = describeReason({
    kind: 'data-flow',
    sources: [{ tool: 'look', name: 'a\u001b[2Jb' }],
    destinations: [],
  })
  expect(line).not.toContain('\u001b')
})
