import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CHECKED_PACKAGES, LIMITS, findOversized } from './shape/check-shape.ts'
import { measureTree } from './shape/measure-tree.ts'
import { drawShape, reportShape } from './shape/report-shape.ts'

const HELP = `Usage: npm run shape -- [options]

Prints how long the files and functions of each package are, and names the largest functions, files and folders.
A function counts from its first line to its last, with the functions inside it; those are counted again on their own.
Functions on one line are left out of the medians.
Tests, fixtures, testing/ folders and translations are left out, except in the count of files per folder.

  --top <number>   how many of the largest to list (default 15)
  --json           the same as JSON
  --check          prints only what is too large, and fails if anything is: functions above ${LIMITS.functionLines} lines and
                   files above ${LIMITS.fileLines}, in ${CHECKED_PACKAGES.join(', ')}
  --help           this text`

function main(args: readonly string[]): number {
  const { values } = parseArgs({
    args: [...args],
    options: {
      top: { type: 'string', default: '15' },
      json: { type: 'boolean' },
      check: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return print(HELP)
  const packages = measureTree(join(dirname(fileURLToPath(import.meta.url)), '..'))
  if (values.check) return check(findOversized(packages))
  const report = reportShape(packages, Number(values.top))
  return print(values.json ? JSON.stringify(report, undefined, 2) : drawShape(report).join('\n'))
}

function check(oversized: readonly string[]): number {
  if (oversized.length === 0) return print('functions and files are within the limits')
  for (const sentence of oversized) console.error(sentence)
  return 1
}

function print(text: string): number {
  console.log(text)
  return 0
}

process.exitCode = main(process.argv.slice(2))
