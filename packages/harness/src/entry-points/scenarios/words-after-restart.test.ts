import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import type { SubmitMode } from '../session/message-intake.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1'
const write = (to: string) => calls('write', { to })

/** One process over the store. */
function start(store: Store, steps: readonly Step[]) {
  const sent: unknown[] = []
  const tool = stubTool('write', (args) => (sent.push(args), 'sent'), { effect: 'write', returns: [] })
  const model = new ScriptedModel(...steps)
  const safety = { mode: 'supervised' } as const
  return {
    threads: createThreads({ store, agent: { model, tools: [tool], safety, origin: 'web' } }),
    sent,
    model,
  }
}

/** A thread whose first question "yes" has answered, in a process that has ended; a second question may be open. */
async function answerAndRestart(more: readonly Step[]) {
  const store = createMemoryStore()
  const { threads } = start(store, [write('ada'), ...more])
  await threads.create({ id: THREAD })
  await (await threads.open(THREAD)).submit('Write.')
  await threads.idle()
  const first = await threads.answerInWords(THREAD, 'yes', { messageId: 'word_1' })
  expect(first).toMatchObject({ type: 'answered', decision: 'allow-once' })
  await threads.idle()
  await threads.stop({ graceMs: 0 })
  return { store, first }
}

describe('a word that has answered a question, sent again after a restart', () => {
  it('is the same answer, and not one to the question that is open now', async () => {
    const { store, first } = await answerAndRestart([write('bob')])
    const { threads, sent } = start(store, [])
    await threads.resume()
    expect(await threads.answerInWords(THREAD, 'yes', { messageId: 'word_1' })).toEqual(first)
    expect(await threads.answerInWords(THREAD, 'no', { messageId: 'word_1' })).toEqual(first)
    await threads.idle()
    expect(await threads.pendingApprovals()).toHaveLength(1)
    expect(sent).toEqual([])
  })

  it.each<SubmitMode>(['send', 'steer', 'follow-up', 'interrupt'])(
    'begins no turn, also when it is submitted as a message (%s)',
    async (mode) => {
      const { store } = await answerAndRestart([says('Done.')])
      const { threads, model } = start(store, [says('A second turn.')])
      await (await threads.open(THREAD)).submit('yes', { mode, messageId: 'word_1' })
      await threads.idle()
      expect(model.requests).toBe(0)
    },
  )
})
