import { expect, it } from 'vitest'
import { createBoundedLabel, OTHER } from './bounded-label.ts'

it('a label takes a limited number of names, short and on one line', () => {
  const label = createBoundedLabel(2)
  expect(label('search')).toBe('search')
  const long = label(`a\nb${'c'.repeat(1_000)}`)
  expect(long.length).toBeLessThan(100)
  expect(long).not.toContain('\n')
  for (let name = 0; name < 1_000; name++) expect(label(`tool_${name}`)).toBe(OTHER)
  expect(label('search')).toBe('search')
})
