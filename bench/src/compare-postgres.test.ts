import { expect, it } from 'vitest'
import type { Cost } from './compare-ledger.ts'
import { comparePostgres } from './compare-postgres.ts'

const COSTS: readonly Cost[] = [
  { workload: 'loop10', subject: 'capstan-sqlite', usPerIteration: 50 },
  { workload: 'loop10', subject: 'capstan-postgres', usPerIteration: 500 },
  { workload: 'loop10', subject: 'capstan-postgres-synced', usPerIteration: 1000 },
  { workload: 'loop10', subject: 'mastra-postgres-relaxed', usPerIteration: 2000 },
]

it('comparePostgres gives the cost of each subject on PostgreSQL as a multiple of Capstan, with its durability', () => {
  expect(comparePostgres(COSTS)).toEqual({
    'capstan-postgres': {
      durability: expect.stringContaining('synchronous_commit=off'),
      vsCapstan: { loop10: 1 },
      vsCapstanSynced: { loop10: 0.5 },
    },
    'capstan-postgres-synced': {
      durability: expect.stringContaining('a sync after each commit'),
      vsCapstan: { loop10: 2 },
      vsCapstanSynced: { loop10: 1 },
    },
    'mastra-postgres-relaxed': {
      durability: 'with savePerStep, synchronous_commit=off',
      vsCapstan: { loop10: 4 },
      vsCapstanSynced: { loop10: 2 },
    },
  })
})

it('comparePostgres gives nothing when Capstan was not measured on PostgreSQL', () => {
  expect(comparePostgres(COSTS.filter(({ subject }) => subject !== 'capstan-postgres'))).toEqual({})
})
