import { expect, it } from 'vitest'
import { compareLedger } from './compare-ledger.ts'
import type { Cost } from './compare-ledger.ts'

const COSTS: readonly Cost[] = [
  { workload: 'loop10', subject: 'floor', usPerIteration: 2 },
  { workload: 'loop10', subject: 'capstan', usPerIteration: 20 },
  { workload: 'loop10', subject: 'capstan-sqlite', usPerIteration: 50 },
  { workload: 'loop10', subject: 'pi', usPerIteration: 40 },
  { workload: 'loop10', subject: 'ai-sdk', usPerIteration: 150 },
  { workload: 'loop10', subject: 'mastra-libsql', usPerIteration: 500 },
  { workload: 'loop200', subject: 'capstan-sqlite', usPerIteration: 40 },
  { workload: 'loop200', subject: 'ai-sdk', usPerIteration: 200 },
]

it('compareLedger gives costs as a multiple of Capstan, store against store and memory against memory', () => {
  expect(compareLedger(COSTS)).toEqual({
    vsMemory: { loop10: 0.4 },
    vsAiSdk: { loop10: 3, loop200: 5 },
    vsPersistedPeers: { 'mastra-libsql': { loop10: 10 } },
    memoryVsPeers: { pi: { loop10: 2 }, 'ai-sdk': { loop10: 7.5 } },
  })
})

it('compareLedger gives nothing when the ledger on SQLite was not measured', () => {
  expect(compareLedger(COSTS.filter(({ subject }) => subject !== 'capstan-sqlite'))).toBeUndefined()
})
