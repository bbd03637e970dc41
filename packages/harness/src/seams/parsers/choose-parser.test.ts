import { expect, it } from 'vitest'
import { chooseParser } from './choose-parser.ts'

it('lets a model that takes tools call natively, and teaches the others positional calls', () => {
  expect(chooseParser('auto', { tools: true }).dialect).toBe('native')
  expect(chooseParser('auto', { tools: false }).dialect).toBe('pformat')
})

it('takes the dialect that was asked for, whatever the model can do', () => {
  for (const dialect of ['native', 'xml', 'pformat'] as const) {
    expect(chooseParser(dialect, { tools: true }).dialect).toBe(dialect)
    expect(chooseParser(dialect, { tools: false }).dialect).toBe(dialect)
  }
})
