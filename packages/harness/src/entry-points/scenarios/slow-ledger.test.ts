import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, says, ScriptedModel } from '../../testing/scripted-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import type { Clock } from '../../turn/clock.ts'
import { StoreError } from '../../turn/errors.ts'
import { createSession } from '../session/session.ts'

const THREAD = 'thread_1' as ThreadId

const isReply = (record: LedgerRecord): boolean =>
  record.type === 'message' && record.message.role === 'assistant'

/** A store whose commits take time, as those of a database on another machine. */
function slowStore(before: (records: readonly LedgerRecord[]) => void = () => {}) {
  const inner = createMemoryStore()
  const { promise: replied, resolve: onReply } = Promise.withResolvers<void>()
  const commits: (readonly LedgerRecord['type'][])[] = []
  const ledger: Ledger = {
    ...inner.ledger,
    async commit(threadId, records) {
      await setImmediate()
      before(records)
      inner.ledger.commit(threadId, records)
      commits.push(records.map(({ type }) => type).filter((type) => type !== 'event'))
      if (records.some(isReply)) onReply()
    },
  }
  const store: Store = { ...inner, ledger }
  return { store, commits, replied }
}

const open = (store: Store, model: ScriptedModel, tool: ReturnType<typeof stubTool>, clock?: Clock) =>
  createSession({
    store,
    threadId: THREAD,
    model,
    tools: [tool],
    safety: { mode: 'full' },
    ...(clock ? { clock } : undefined),
  })

it('with a ledger that takes time, a reply and the results of quick reads are one commit', async () => {
  const { store, commits } = slowStore()
  const model = new ScriptedModel(calls('look', { n: 1 }), calls('look', { n: 2 }), says('Read.'))
  const look = stubTool('look', () => 'a page')
  // However slow this machine is, no time passes.
  const session = open(store, model, look, createTestClock())
  expect(await session.send('Read.')).toMatchObject({ type: 'done', text: 'Read.' })
  expect(commits.slice(1, -1)).toEqual([
    ['usage', 'message', 'call-result'],
    ['usage', 'message', 'call-result'],
  ])
})

it('with a ledger that takes time, a reply is stored while a read runs', async () => {
  const { store, replied } = slowStore()
  const model = new ScriptedModel(calls('look'), says('Read.'))
  const slow = stubTool('look', async () => {
    await replied
    return 'a page'
  })
  expect(await open(store, model, slow).send('Read.')).toMatchObject({ type: 'done' })
})

it('with a ledger that takes time, a write does not run before the reply and its intent are stored', async () => {
  const { store, commits } = slowStore()
  const model = new ScriptedModel(calls('save'), says('Saved.'))
  let stored: readonly LedgerRecord['type'][] = []
  const save = stubTool('save', () => void (stored = commits.at(-1) ?? []), { effect: 'write' })
  await open(store, model, save).send('Save.')
  expect(stored).toEqual(['usage', 'message', 'call-intent'])
})

it.each(['read', 'write'] as const)(
  'with a ledger that takes time and refuses a reply, no write runs and the model is not asked again after a %s',
  async (effect) => {
    const { store } = slowStore((records) => {
      if (records.some(isReply)) throw new StoreError('moved', 'another node runs this thread')
    })
    const model = new ScriptedModel(calls('work'), says('Done.'))
    let ran = 0
    const work = stubTool('work', () => void ran++, { effect })
    await expect(open(store, model, work).send('Work.')).rejects.toMatchObject({ kind: 'moved' })
    expect(model.requests).toBe(1)
    expect(ran).toBe(effect === 'read' ? 1 : 0)
  },
)
