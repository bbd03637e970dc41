import { expect, it } from 'vitest'
import { toSections } from './to-sections.ts'

it('toSections splits a report at its headings and keeps the lines before the first', () => {
  const line = (text: string, kind?: 'heading') => ({ depth: 0, text, ...(kind ? { kind } : undefined) })
  expect(
    toSections([line('before'), line('Cost', 'heading'), line('a'), line('b'), line('End', 'heading')]),
  ).toEqual([
    { lines: [line('before')] },
    { heading: line('Cost', 'heading'), lines: [line('a'), line('b')] },
    { heading: line('End', 'heading'), lines: [] },
  ])
})
