import { expect, it } from 'vitest'
import { createProblemPrinter } from './problem-printer.ts'

it('prints the same problem once a minute, others at once, and no secret', () => {
  const lines: string[] = []
  let now = 0
  const report = createProblemPrinter(
    (line) => void lines.push(line),
    () => now,
  )
  for (let times = 0; times < 200; times++) report(new Error('connect ECONNREFUSED 127.0.0.1:5432'))
  report(new Error('refused postgres://capstan:harbour-4711-tide@db.example/capstan'))
  now = 60_000
  report(new Error('connect ECONNREFUSED 127.0.0.1:5432'))
  expect(lines).toEqual([
    'capstan: connect ECONNREFUSED 127.0.0.1:5432',
    expect.stringMatching(/^capstan: refused postgres:/) as string,
    'capstan: connect ECONNREFUSED 127.0.0.1:5432',
  ])
  expect(lines.join()).not.toContain('harbour')
})
