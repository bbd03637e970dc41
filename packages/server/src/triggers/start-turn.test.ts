import { createMemoryStore } from '@capstan/harness/stores'
import type { JobRow } from '@capstan/harness/stores'
import type { RunId, ThreadId } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createVaultDocuments } from '../documents/vault-documents.ts'
import type { JobRun } from '../jobs/job-handler.ts'
import type { UnattendedOutcome } from '../unattended/to-outcome.ts'
import { createDailyBudget } from './daily-budget.ts'
import { openSourceStore } from './source-store.ts'
import { runTriggerTurn } from './start-turn.ts'
import type { StoredSource } from './stored-source.ts'
import { stateOf, toJson } from './trigger-job.ts'

const EVENING = Date.UTC(2026, 0, 5, 23, 59)
const COST_USD = 0.25
const DECIDED = { action: 'react', reason: '', by: 'first', at: EVENING } as const

async function open() {
  const world = { now: EVENING, hasEnded: false, isKilledAtSave: false }
  const now = () => world.now
  const sources = await openSourceStore(createVaultDocuments(createMemoryStore().connections.vault), () => {})
  const source: StoredSource = {
    id: 'source_1',
    kind: 'generic',
    name: 'Builds',
    rule: '',
    isOff: false,
    quietHours: null,
    budget: { usd: 2, runs: 10 },
    threadId: null,
    createdAt: 0,
    examples: [],
    used: { usd: 0, runs: 0, day: '' },
  }
  await sources.change('ana', (before) => ({ ...before, sources: [source] }))
  const budget = createDailyBudget(sources, now)
  const runId = 'run_1' as RunId
  const threadId = 'thread_1' as ThreadId
  const outcomeOf = async (): Promise<UnattendedOutcome> =>
    world.hasEnded ? { type: 'ended', runId, text: 'Looked.' } : { type: 'running', runId }
  const usage = { ...NO_USAGE, chargedUsd: COST_USD }
  const parts = {
    sources,
    budget,
    unattended: {
      run: async () => ({ type: 'started', threadId, runId }) as const,
      find: async () => undefined,
      outcomeOf,
    },
    runs: { findByMessage: async () => ({ outcome: { type: 'done', text: 'Looked.', usage } }) as never },
  }
  /** Runs the job once. Answers with what is stored then. */
  async function runOnce(job: JobRow): Promise<JobRow> {
    let { state } = job
    const save: JobRun['save'] = async (next) => {
      state = next
      if (world.isKilledAtSave) throw new Error('killed')
    }
    const run = { signal: new AbortController().signal, now, save }
    const result = await runTriggerTurn(job, run, stateOf(job), parts).catch(() => undefined)
    return { ...job, state: result?.state ?? state }
  }
  const job: JobRow = {
    id: 'trigger_1',
    userId: 'ana',
    kind: 'trigger',
    key: 'trigger source_1',
    title: 'A build',
    status: 'running',
    attempts: 0,
    createdAt: EVENING,
    body: { sourceId: source.id, envelope: { label: 'A build', payload: '{}' } },
    state: toJson({ deferrals: 0, costUsd: 0.01, decision: DECIDED }),
  }
  return { world, runOnce, job, budget, used: () => sources.find('ana', 'source_1')!.used }
}

describe('the turn of a trigger', () => {
  it('gives back on the same day what it did not use', async () => {
    const { world, runOnce, job, used } = await open()
    const running = await runOnce(job)
    expect(used().usd).toBe(1)
    world.hasEnded = true
    await runOnce(running)
    expect(used()).toMatchObject({ usd: COST_USD, runs: 1 })
  })

  it('that ends after midnight gives nothing back to the next day', async () => {
    const { world, runOnce, job, budget, used } = await open()
    const running = await runOnce(job)
    world.now += 120_000
    await budget.reserve('ana', 'source_1')
    world.hasEnded = true
    await runOnce(running)
    expect(used()).toEqual({ day: '2026-01-06', usd: 1, runs: 1 })
  })

  it('counts its cost once when its node is killed at the end', async () => {
    const { world, runOnce, job } = await open()
    const running = await runOnce(job)
    Object.assign(world, { hasEnded: true, isKilledAtSave: true })
    const killed = await runOnce(running)
    world.isKilledAtSave = false
    expect(stateOf(await runOnce(killed)).costUsd).toBeCloseTo(0.01 + COST_USD)
  })
})
