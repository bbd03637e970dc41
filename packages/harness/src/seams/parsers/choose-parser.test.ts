import { expect, it } from 'vitest'
import { chooseParser } from './choose-parser.ts'

it('chooseParser picks native calls for a model that takes tools, and pformat for others', () => {
  expect(chooseParser('auto', { tools: true }).dialect).toBe('native')
  expect(chooseParser('auto', { tools: false }).dialect).toBe('pformat')
})

it('chooseParser returns the requested dialect regardless of the model', () => {
  for (const dialect of ['native', 'xml', 'pformat'] as const) {
    expect(chooseParser(dialect, { tools: true }).dialect).toBe(dialect)
    expect(chooseParser(dialect, { tools: false }).dialect).toBe(dialect)
  }
})
