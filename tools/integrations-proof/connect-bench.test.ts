import { expect, it } from 'vitest'
import { runBench } from '../../bench/src/run-bench.ts'

it(
  'a connection is usable in the running turn within 50 ms at the 95th percentile',
  { timeout: 60_000 },
  async () => {
    const report = await runBench({ subjects: ['capstan'], only: ['connect'] })
    expect(report.errors).toEqual([])
    expect(report.connect!.runs).toBeGreaterThanOrEqual(300)
    expect(report.connect!.p50Ms).toBeGreaterThan(0)
    expect(report.connect!.p95Ms).toBeLessThan(50)
    expect(Object.keys(report.schemaBytes)).toEqual(['capstan', 'capstan-live-enum'])
    expect(report.schemaBytes['capstan']).toBeLessThanOrEqual(4_096)
    expect(report.appRequests['capstan']).toEqual([
      { calls: 1, first: 3, later: 2 },
      { calls: 2, first: 4, later: 3 },
      { calls: 5, first: 7, later: 6 },
    ])
  },
)
