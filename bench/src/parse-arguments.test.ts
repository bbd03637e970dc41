import { expect, it } from 'vitest'
import { parseArguments } from './parse-arguments.ts'

it('parseArguments measures everything without arguments', () => {
  expect(parseArguments([])).toEqual({ type: 'run', json: false, options: { collect: false } })
})

it('parseArguments reads lists of measures and subjects', () => {
  expect(parseArguments(['--json', '--only', 'loop10, prefix', '--subjects', 'pi', '--rounds', '2'])).toEqual(
    {
      type: 'run',
      json: true,
      options: { collect: false, only: ['loop10', 'prefix'], subjects: ['pi'], rounds: 2 },
    },
  )
})

it.each([
  [['--only', 'loop11'], '"loop11"'],
  [['--subjects', 'floor,nobody'], '"nobody"'],
  [['--rounds', '1.5'], '"1.5"'],
  [['--fast'], '--fast'],
])('parseArguments names the mistake in %j', (args, named) => {
  expect(parseArguments(args)).toEqual({ type: 'misuse', problem: expect.stringContaining(named) })
})
