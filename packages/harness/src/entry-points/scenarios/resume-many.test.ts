import { expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { finish, handMadeModel, text } from '../../testing/hand-made-model.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { textOf } from '../../turn/message/message.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import { killAfterCommit } from './killable-store.fixture.ts'
import { createThreads } from '../threads/threads.ts'

const FINISHED = 90
const CUT = 10
const PARKED = 30

/** Calls the tool that the user names once, then answers with its result. */
const model = handMadeModel(async function* ({ messages }) {
  const result = messages.find((message) => message.role === 'tool')
  if (result) yield text(`It says: ${result.text}`)
  else yield { type: 'call', id: 'call_1', tool: textOf(messages[0]!), argumentsText: '{}' }
  yield finish
})

function start(store: Store, wait: () => MaybePromise<unknown>) {
  const events = recordEvents()
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    agent: {
      model,
      origin: 'web',
      preface: false,
      tools: [
        stubTool('look', () => 'a page'),
        stubTool('wait', wait),
        stubTool('send', () => 'sent', { effect: 'write' }),
      ],
    },
  })
  const begin = async (wanted: string) => {
    const { id } = await threads.create()
    const session = await threads.open(id)
    await session.submit(wanted)
    return id
  }
  return { threads, events, begin }
}

it('resume reads only the threads that must go on', async () => {
  const store = createMemoryStore()
  const first = killAfterCommit(store)
  const before = start(first.store, () => new Promise<never>(() => {}))
  const ids = []
  for (let n = 0; n < FINISHED; n++) ids.push(await before.begin('look'))
  for (let n = 0; n < PARKED; n++) ids.push(await before.begin('send'))
  await before.threads.idle()
  for (let n = 0; n < CUT; n++) ids.push(await before.begin('wait'))
  while (before.events.of('tool-start').filter(({ tool }) => tool === 'wait').length < CUT)
    await before.events.next('tool-start')
  first.kill()

  const read: string[] = []
  const counted: Store = {
    ...store,
    ledger: { ...store.ledger, read: (id) => (read.push(id), store.ledger.read(id)) },
  }
  const next = start(counted, () => 'nothing')
  expect(await next.threads.resume()).toEqual({ running: CUT, waiting: PARKED })
  await next.threads.idle()
  expect(next.events.of('turn-end')).toHaveLength(CUT)
  expect(read.toSorted()).toEqual(ids.slice(-CUT).toSorted())

  // The parked threads are read one by one when their answers arrive.
  const [one] = await next.threads.pendingApprovals()
  await next.threads.answer(one!.id, 'allow-once')
  await next.threads.idle()
  expect(read.slice(CUT)).toEqual([one!.threadId])
  expect(await checkInvariants(store, ids)).toEqual([])
})
