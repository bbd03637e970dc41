import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
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
