import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThreads } from '@capstan/harness'
import {
  ALLOW_ALL,
  calls,
  checkInvariants,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '@capstan/harness/testing'
import type { TurnEvent } from '@capstan/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { createLeadThreads, MAIL, readEffects, THREAD } from '../../fixtures/lead-and-helpers.fixture.ts'
import { runUntil } from '../../fixtures/run-process.fixture.ts'
import { KEY, usePostgres } from '../fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-node-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('a turn whose node was killed while it waited for an approval goes on at another node', async () => {
  const folder = await createFolder()
  const store = await postgres.open({ nodeId: 'next' })
  const program = new URL('../fixtures/ask-until-killed.fixture.ts', import.meta.url)
  const lines = await runUntil(program, [postgres.urlOf(store), KEY, folder], (line) =>
    line.includes('"approval-request"'),
  )
  const seen = lines.map((line) => JSON.parse(line) as TurnEvent)
  const asked = seen.find((event) => event.type === 'approval-request')!

  await store.ownership!.claim(THREAD)
  const events = recordEvents()
  const threads = createLeadThreads(store, folder, { onEvent: events.onEvent })
  expect(await threads.resume()).toEqual({ running: 0, waiting: 1 })
  expect(await threads.answer(asked.approvalId, 'allow-once')).toBe('accepted')
  await threads.idle()
  expect(await store.runs.unfinished()).toEqual([])
  expect(readEffects(folder)).toMatchObject([{ args: MAIL }])
  const stored = (await store.ledger.readEvents(THREAD, 0)).map(({ seq }) => seq)
  expect(stored).toEqual(stored.map((_, index) => index + 1))
  // The killed node may have stored more than it could announce.
  const numbers = events.all.map(({ seq }) => seq)
  expect(numbers[0]).toBeGreaterThan(seen.length)
  expect(numbers).toEqual(stored.slice(numbers[0]! - 1))
  expect(await checkInvariants(store, [THREAD])).toEqual([])
  expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
})

it('a turn whose thread was claimed by another node starts no further call', async () => {
  const a = await postgres.open({ nodeId: 'a' })
  const b = await postgres.open({ url: postgres.urlOf(a), nodeId: 'b' })
  const started = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  const sent: unknown[] = []
  const look = stubTool('look', () => (started.resolve(), answer.promise))
  const send = stubTool('send', (args) => (sent.push(args), 'Sent.'), { effect: 'write' })
  const model = new ScriptedModel(calls('look', {}), calls('send', {}), says('Done.'))
  const problems: unknown[] = []
  const threads = createThreads({
    store: a,
    agent: { model, origin: 'web', tools: [look, send], safety: ALLOW_ALL },
    onProblem: (error) => void problems.push(error),
  })
  await threads.create({ id: THREAD })
  await a.ownership!.claim(THREAD)
  const session = await threads.open(THREAD)
  const turn = Promise.allSettled([session.send('Look, then send.')])
  await started.promise
  await b.ownership!.claim(THREAD)
  const before = await b.ledger.read(THREAD)
  answer.resolve('Nothing.')
  await turn
  await threads.idle()
  expect(sent).toEqual([])
  expect(await b.ledger.read(THREAD)).toEqual(before)
  expect((await b.runs.unfinished()).map(({ status }) => status)).toEqual(['running'])
})
