import { expect, it } from 'vitest'
import { runBench } from '../bench/src/run-bench.ts'

it('the bench measures Capstan against the floor without peers installed', { timeout: 60_000 }, async () => {
  const report = await runBench({
    subjects: ['floor', 'capstan'],
    only: ['loop10', 'prefix'],
    rounds: 2,
    warmUpMs: 50,
  })
  expect(report.errors).toEqual([])
  expect(report.rows.map(({ workload, subject }) => [workload, subject])).toEqual([
    ['loop10', 'floor'],
    ['loop10', 'capstan'],
  ])
  expect(report.rows.find(({ subject }) => subject === 'floor')?.ratioToFloor).toBe(1)
  // No earlier part of a request changes, even when a tool is added later.
  expect(report.prefix.filter(({ subject }) => subject === 'capstan')).toEqual([
    { scenario: 'P1', subject: 'capstan', retention: 1 },
    { scenario: 'P2', subject: 'capstan', retention: 1 },
  ])
})
