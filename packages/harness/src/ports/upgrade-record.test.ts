import type { RunId, ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { restoreThread } from '../ledger/restore-thread.ts'
import type { LedgerRecord } from './ledger.ts'
import { upgradeRecord } from './upgrade-record.ts'
import type { OldRecord } from './upgrade-record.ts'

const THREAD = 'thread_1' as ThreadId
const RUN = {
  runId: 'run_1' as RunId,
  conversationId: THREAD,
  agent: 'orchestrator',
  depth: 0,
  origin: 'web',
  model: 'm',
  budget: {},
  text: 'Where is the harbour?',
} as const
const OLD: readonly (LedgerRecord | OldRecord)[] = [
  { type: 'conversation-open', at: 1, conversationId: THREAD, agent: 'orchestrator', system: 'Be brief.' },
  { type: 'run-start', at: 1, run: { ...RUN, intake: { app: 'maps' } } },
  { type: 'surface-told', at: 1, conversationId: THREAD, told: ['maps is connected'] },
]

it('upgradeRecord renames surface-told and intake', () => {
  expect(OLD.map(upgradeRecord)).toEqual([
    OLD[0],
    { type: 'run-start', at: 1, run: { ...RUN, setup: { app: 'maps' } } },
    { type: 'surface-announced', at: 1, conversationId: THREAD, announced: ['maps is connected'] },
  ])
})

it('upgradeRecord returns a current record unchanged', () => {
  const record: LedgerRecord = { type: 'run-start', at: 1, run: { ...RUN, setup: { app: 'maps' } } }
  expect(upgradeRecord(record)).toBe(record)
})

it('a thread is restored from old records with its announced surface and its setup', () => {
  const { conversations } = restoreThread(OLD.map(upgradeRecord))
  expect(conversations.get(THREAD)).toMatchObject({
    announced: ['maps is connected'],
    setup: { app: 'maps' },
  })
})
