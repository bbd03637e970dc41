import { createLocalConnector } from '@capstan/connectors'
import { defineTool, succeed } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { Allowance } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { createMemoryStore } from '@capstan/harness/stores'
import type { Step, TestClock } from '@capstan/harness/testing'
import { calls, createTestClock, says, ScriptedModel } from '@capstan/harness/testing'
import { WEBHOOK_KINDS } from '@capstan/protocol'
import type { TriggerRow } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { createVaultDocuments } from '../documents/vault-documents.ts'
import { createJobRunner } from '../jobs/create-job-runner.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createThreadActions } from '../sessions/thread-actions.ts'
import { createUserThreads } from '../sessions/user-threads.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { createUnattended } from '../unattended/unattended.ts'
import { killAfterWrite } from './killable-parts.fixture.ts'
import type { LabelledTrigger } from './labelled-triggers.fixture.ts'
import { createLabelledTriggers } from './labelled-triggers.fixture.ts'
import { readOccurrence } from './signatures/read-occurrence.ts'
import { requestOf, SECRET } from './signatures/signed-request.fixture.ts'
import { openTriggers } from './triggers.ts'

const ACCEPTED = createLabelledTriggers(Date.UTC(2026, 0, 5, 12), SECRET).filter(
  ({ status }) => status === 202,
)
const AT_ONCE = 8
/** More writes than the triggers of one round make. */
const MOST_WRITES = 400
const numberIn = (text: string): number => Number(/case-(\d+)\./.exec(text)?.[1])
const LABELS = new Map(ACCEPTED.map((one) => [numberIn(one.body), one.label!]))

/** Other triggers in each round, of all kinds and labels. */
const sampleOf = (round: number): readonly LabelledTrigger[] =>
  Array.from({ length: AT_ONCE }, (_, n) => ACCEPTED[((round * AT_ONCE + n) * 37) % ACCEPTED.length]!)

const answer: Step = (request) => {
  const text = JSON.stringify(request.messages)
  if (request.tools.length === 0) {
    const action = LABELS.get(numberIn(text))!
    return says(
      JSON.stringify({ action, target_agent: 'orchestrator', prompt: 'Look at it.', reason: 'As labelled.' }),
    )
  }
  const hasCalled = request.messages.some(({ role }) => role === 'tool')
  return text.includes('FOOLED') && !hasCalled ? calls('write_note', {}) : says('Looked.')
}

/** A process: what receives, judges and runs triggers, over this store. */
async function start(store: Store, clock: TestClock, written: string[]) {
  const model = new ScriptedModel(...Array.from({ length: 400 }, () => answer))
  const integrations = createIntegrations({
    connectors: [createLocalConnector({ toolkits: [] })],
    store: store.connections,
  })
  const tool = defineTool({
    name: 'write_note',
    description: 'Writes a note.',
    effect: 'write',
    input: { type: 'object', properties: {} },
    run: () => (written.push('note'), succeed('written')),
  })
  const threads = createUserThreads({
    userId: 'ana',
    store,
    bus: integrations.bus,
    agent: () => ({ model, origin: 'web', tools: [tool], safety: { mode: 'full' } }),
    model: () => model,
    queueMode: () => 'one-by-one',
    settingsVersion: () => 0,
    publish() {},
    onProblem() {},
    clock,
  })
  const unattended: Unattended = createUnattended({
    store,
    threadsOf: () => threads,
    actionsOf: () => createThreadActions(threads, () => {}),
    admit: { turn: async () => true, newThread: async () => {} },
  })
  const runner = createJobRunner({
    store: store.jobs,
    clock,
    owner: String(clock.now()),
    held: () => [],
    onChange() {},
    onProblem() {},
  })
  const allowance = new Allowance({ limits: () => ({}), clock, load: () => ({ usd: 0, tokens: 0 }) })
  const triggers = await openTriggers({
    documents: createVaultDocuments(store.connections.vault),
    jobs: createJobs({ store: store.jobs, runner, publish() {}, now: () => clock.now() }),
    integrations,
    connections: store.connections,
    runs: store.runs,
    unattended: () => unattended,
    record() {},
    clock,
    allowanceOf: () => allowance,
    modelsOf: () => ({ model }),
    checkModel() {},
    note() {},
    tell: async () => {},
    onProblem() {},
  })
  async function rows(): Promise<readonly TriggerRow[]> {
    return (await triggers.activity.list('ana', { limit: 100 }))!.triggers
  }
  return {
    threads,
    triggers,
    runner,
    rows,
    async receive({ kind, body, headers }: LabelledTrigger) {
      const source = triggers.sources.list('ana').sources.find((one) => one.kind === kind)!
      const request = requestOf(body, headers)
      await triggers.receive('ana', source.id, { ...readOccurrence(kind, request), payload: body })
    },
    async untilDone(count: number) {
      for (let seconds = 0; seconds < 600; seconds++) {
        const found = await rows()
        if (found.length === count && found.every(({ status }) => status === 'done')) return
        await clock.advance(1_000)
      }
      expect.unreachable(`not all were decided: ${JSON.stringify(await rows())}`)
    },
  }
}

type Process = Awaited<ReturnType<typeof start>>

async function work(process: Process, sample: readonly LabelledTrigger[]): Promise<void> {
  for (const one of sample) await process.receive(one)
  process.runner.start()
  await process.untilDone(sample.length)
}

/** Whether the process was killed at all. */
async function killAt(n: number, sample: readonly LabelledTrigger[]): Promise<boolean> {
  const inner = createMemoryStore()
  const written: string[] = []
  const first = createTestClock()
  const { triggers } = await start(inner, first, written)
  for (const kind of WEBHOOK_KINDS)
    await triggers.sources.add('ana', { kind, name: kind, secret: SECRET, budget: { usd: 500, runs: 1_000 } })
  const mortal = killAfterWrite(inner, n)
  const before = await start(mortal.store, first, written)
  await Promise.race([work(before, sample), mortal.killed])
  // Later than its leases. The clock of the killed process stands still.
  const after = await start(inner, createTestClock(first.now() + 60_000), written)
  await after.threads.resume()
  // A service repeats what was not acknowledged, and sometimes what was.
  await work(after, sample)
  await after.runner.stop({ graceMs: 0 })
  const rows = await after.rows()
  expect(rows, `killed after write ${n}`).toHaveLength(sample.length)
  let turns = 0
  for (const { id, decision } of rows) {
    const { payload } = (await after.triggers.activity.get('ana', id))!
    const label = LABELS.get(numberIn(payload))
    expect(decision?.action, `killed after write ${n}: ${payload.slice(0, 60)}`).toBe(label)
    if (label === 'react' || label === 'escalate') turns++
  }
  expect(await inner.runs.list({ userId: 'ana', depth: 0 }), `killed after write ${n}`).toHaveLength(turns)
  expect(written).toEqual([])
  return mortal.isKilled
}

it('labelled triggers are neither lost nor doubled, and decided as labelled, wherever the process is killed', async () => {
  let round = 0
  // Each write of a round once, at other triggers each time.
  for (let n = 1; n <= MOST_WRITES; n++) if (!(await killAt(n, sampleOf(++round)))) break
  console.log('ROUNDS', round)
  expect(round).toBeGreaterThan(30)
}, 120_000)
