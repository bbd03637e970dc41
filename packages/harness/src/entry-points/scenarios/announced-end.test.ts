import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, checkInvariants, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { createSession } from '../session/session.ts'
import type { Session } from '../session/session.ts'
import { createThreads } from '../threads/threads.ts'

async function open(model: ScriptedModel) {
  const store = createMemoryStore()
  const events = recordEvents()
  const tools = [stubTool('send_mail', () => 'sent', { effect: 'write' })]
  const agent = { model, tools, origin: 'web' as const }
  const threads = createThreads({ store, agent, onEvent: events.onEvent })
  return { store, events, session: await threads.open((await threads.create()).id) }
}

describe('a watcher that learns of the end of a turn', () => {
  it('may send at once, when the turn has ended', async () => {
    const { events, session } = await open(new ScriptedModel(says('One.'), says('Two.')))
    const first = session.send('first')
    await events.next('turn-end')
    expect(await session.send('second')).toMatchObject({ text: 'Two.' })
    expect(await first).toMatchObject({ text: 'One.' })
  })

  it('may send at once, when the turn is parked', async () => {
    const { events, session } = await open(new ScriptedModel(calls('send_mail'), says('Two.')))
    const first = session.send('first')
    await events.next('turn-park')
    expect(await session.send('second')).toMatchObject({ text: 'Two.' })
    expect(await first).toMatchObject({ type: 'aborted' })
  })

  it('may continue at once, when the turn was capped', async () => {
    const model = new ScriptedModel(calls('look'), says('So far.'), says('All of it.'))
    const events = recordEvents()
    const tools = [stubTool('look', () => 'seen', { effect: 'read' })]
    const session = createSession({ model, tools, limits: { maxIterations: 1 }, onEvent: events.onEvent })
    void session.send('first')
    const { outcome } = await events.next('turn-end')
    const resumeToken = outcome.type === 'capped' ? outcome.resumeToken! : ''
    expect(await (await session.continue(resumeToken)).outcome).toMatchObject({ text: 'All of it.' })
  })

  it('may stop at once, when the turn is parked', async () => {
    const { events, session, store } = await open(new ScriptedModel(calls('send_mail')))
    const turn = session.send('first')
    await events.next('turn-park')
    session.stop()
    expect(await turn).toMatchObject({ type: 'aborted' })
    expect(await checkInvariants(store, [session.threadId])).toEqual([])
  })

  it('that holds the turn until its own message is answered is refused, and nothing hangs', async () => {
    const model = new ScriptedModel(says('One.'), says('Two.'))
    let refused: unknown
    const session: Session = createSession({
      model,
      async onEvent({ type }) {
        if (type === 'turn-end') await session.send('second').catch((error: unknown) => (refused ??= error))
      },
    })
    expect(await session.send('first')).toMatchObject({ text: 'One.' })
    expect(refused).toMatchObject({ name: 'TurnInProgressError' })
  })
})
