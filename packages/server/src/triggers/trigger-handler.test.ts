import { createEnvelope } from '@capstan/harness/triage'
import { Allowance } from '@capstan/harness/seams'
import { createMemoryJobStore } from '@capstan/harness/stores'
import { createTestClock, says, ScriptedModel } from '@capstan/harness/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createJobRunner } from '../jobs/create-job-runner.ts'
import { StoredSource } from './stored-source.ts'
import { toJson, TRIGGER_JOB } from './trigger-job.ts'
import { createTriggerHandler } from './trigger-handler.ts'

const DECISION = '{"action":"drop","target_agent":"orchestrator","prompt":"","reason":"Nothing."}'

it('a trigger that no model could judge for long is not lost when something else fails as well', async () => {
  const clock = createTestClock()
  const store = createMemoryJobStore()
  const source = StoredSource.parse({
    id: 'source_1',
    kind: 'generic',
    name: 'Builds',
    rule: '',
    isOff: false,
    quietHours: null,
    budget: { usd: 1, runs: 1 },
    threadId: null,
    createdAt: 0,
    examples: [],
    used: { usd: 0, runs: 0, day: '' },
  })
  const allowance = new Allowance({ limits: () => ({}), clock, load: () => ({ usd: 0, tokens: 0 }) })
  const world = { hasModel: false, isDiskFull: false }
  const model = new ScriptedModel(says(DECISION))
  const never = async (): Promise<never> => expect.fail('starts nothing')
  const handler = createTriggerHandler({
    clock,
    sources: {
      of: () => ({ isOff: false, model: '', sources: [source] }),
      find() {
        if (world.isDiskFull) throw new Error('the disk is full')
        return source
      },
      users: () => [],
      findHook: () => undefined,
      change: never,
      changeSource: never,
    },
    budget: { hasMoney: () => true, spend: async () => {}, reserve: never, giveBack: never },
    modelsOf: () => (world.hasModel ? { model } : undefined),
    allowanceOf: () => allowance,
    unattended: { run: never, find: never, outcomeOf: never },
    runs: { findByMessage: never },
    record: () => {},
    tell: never,
    onProblem() {},
  })
  const runner = createJobRunner({
    store,
    clock,
    owner: 'node',
    held: () => [],
    onChange() {},
    onProblem() {},
  })
  onTestFinished(() => runner.stop({ graceMs: 0 }))
  runner.register(handler)
  const envelope = createEnvelope({
    source: { kind: 'webhook', id: source.id, app: 'Builds' },
    externalId: 'one',
    label: 'A build has ended',
    payload: '{}',
    receivedAt: clock.now(),
  })
  const times = { nextAt: clock.now(), createdAt: clock.now() }
  const body = toJson({ sourceId: source.id, envelope })
  await store.add({ id: 'one', userId: 'ana', kind: TRIGGER_JOB, key: 'k', title: 'A build', body, ...times })
  runner.start()
  await clock.advance(3_600_000)
  expect((await store.get('ana', 'one'))!.attempts).toBeGreaterThan(8)
  world.isDiskFull = true
  await clock.advance(3_600_000)
  expect(await store.get('ana', 'one')).toMatchObject({ status: 'waiting' })
  Object.assign(world, { hasModel: true, isDiskFull: false })
  await clock.advance(3_600_000)
  expect(await store.get('ana', 'one')).toMatchObject({
    status: 'done',
    state: { decision: { action: 'drop' } },
  })
})
