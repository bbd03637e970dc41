import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { finish, handMadeModel, text } from '../../testing/hand-made-model.ts'
import type { LedgerRecord } from '../../ports/ledger.ts'
import { calls, recordEvents, ScriptedModel, stubTool } from '../../testing/index.ts'
import { createThreads } from '../threads/threads.ts'
import { agent, delegate } from './delegation.fixture.ts'

const THREAD = 'thread_1' as ThreadId

it('a stop that no sub-agent meets in time still ends every run, and tells what was done', async () => {
  const store = createMemoryStore()
  const events = recordEvents()
  const working = Promise.withResolvers<void>()
  const save = stubTool('save', () => 'saved', { effect: 'write' })
  const stubborn = stubTool('stubborn', () => {
    working.resolve()
    return new Promise<never>(() => {})
  })
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    agent: {
      model: new ScriptedModel(
        delegate('worker'),
        delegate('helper'),
        calls('save', {}),
        calls('stubborn', {}),
      ),
      origin: 'web',
      safety: { mode: 'full' },
      limits: { tools: { stopGraceMs: 5 } },
      observers: [{ turnEnded: ({ depth }) => (depth > 0 ? sleep(40) : undefined) }],
      tools: [save, stubborn],
      agents: [agent('worker', { agents: [agent('helper')] })],
    },
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  const { runId, outcome } = await session.submit('go')
  await working.promise
  session.stop()
  await outcome
  expect((await store.runs.tree(runId!)).map(({ status }) => status)).toEqual([
    'aborted',
    'aborted',
    'aborted',
  ])
  const delegations = events.of('tool-end').filter(({ tool }) => tool.startsWith('delegate'))
  expect(delegations).toHaveLength(2)
  for (const end of delegations) expect(JSON.stringify(end)).toContain('It did this, and it stays done: save')
})

/** What each agent calls, one after the other. */
const PLANS: Readonly<Record<string, readonly (readonly [tool: string, args: string])[]>> = {
  'You are helper.': [['stubborn', '{}']],
  'You are worker.': [
    ['spawn_agent', '{"agent":"helper","prompt":"do it"}'],
    ['save', '{}'],
    ['send', '{}'],
  ],
  '': [['delegate_to_worker', '{"prompt":"do it"}']],
}

const model = handMadeModel(async function* ({ system, messages }) {
  const [, plan] = Object.entries(PLANS).find(([who]) => system.includes(who))!
  const done = messages.filter(({ role }) => role === 'assistant').length
  const [tool, argumentsText] = plan[done] ?? []
  if (tool === undefined) yield text('Done.')
  else yield { type: 'call', id: `call_${done}`, tool, argumentsText: argumentsText! }
  yield finish
})

it('a turn that is stopped while a sub-agent is being parked ends it, and tells what it did', async () => {
  const store = createMemoryStore()
  const parked = Promise.withResolvers<void>()
  const ledger = new Proxy(store.ledger, {
    get: (target, name) =>
      name !== 'commit'
        ? Reflect.get(target, name)
        : (threadId: ThreadId, records: readonly LedgerRecord[]) => {
            if (records.some(({ type }) => type === 'run-park')) parked.resolve()
            return target.commit(threadId, records)
          },
  })
  const events = recordEvents()
  const threads = createThreads({
    store: { ...store, ledger },
    onEvent: async (event) => {
      await sleep(1)
      events.onEvent(event)
    },
    agent: {
      model,
      origin: 'web',
      safety: { mode: 'full', rules: [{ tool: 'send', decision: 'ask' }] },
      limits: { tools: { stopGraceMs: 5 } },
      tools: [
        stubTool('save', () => 'saved', { effect: 'write' }),
        stubTool('send', () => 'sent', { effect: 'write' }),
        stubTool('stubborn', () => new Promise<never>(() => {})),
      ],
      agents: [agent('worker', { agents: [agent('helper')] })],
    },
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  const { runId, outcome } = await session.submit('go')
  await parked.promise
  await sleep(5)
  session.stop()
  await outcome
  expect((await store.runs.tree(runId!)).map(({ status }) => status)).toEqual([
    'aborted',
    'aborted',
    'aborted',
  ])
  const numbers = events.all.map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  const delegation = events.of('tool-end').find(({ tool }) => tool === 'delegate_to_worker')
  expect(JSON.stringify(delegation)).toContain('It did this, and it stays done: save')
})
