import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, fails, says, ScriptedModel } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { connect, ownRequests, start } from './notes-connector.fixture.ts'

const DELEGATION = calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create two pages.' })
const page = (title: string) => calls('create_page', { title })

/** A delegation that has created page A and waits for a person to allow page B. */
async function parkAfterWrite(...more: readonly Step[]) {
  const store = createMemoryStore()
  const model = new ScriptedModel(DELEGATION, page('A'), page('B'), ...more)
  const world = start(model, store, { safety: { mode: 'supervised' } })
  const connection = await connect(world, 'notes')
  const { id } = await world.threads.create()
  const session = await world.threads.open(id)
  await session.submit('go')
  await world.threads.idle()
  const answer = async () => {
    const [open] = await world.threads.pendingApprovals()
    await world.threads.answer(open!.id, 'allow-once')
    await world.threads.idle()
  }
  await answer()
  expect(world.notes.pages).toEqual(['A'])
  /** What the model that delegated was told in the end, and the runs of the turn. */
  const told = () =>
    ownRequests(model)
      .at(-1)!
      .messages.filter(({ role }) => role === 'tool')
      .map(textOf)[0]
  const states = async () => {
    const turn = world.events.find(({ type }) => type === 'turn-start')!.runId
    return (await store.runs.tree(turn)).map(({ status }) => status)
  }
  return { ...world, store, session, connection, answer, told, states }
}

describe('a delegation that was interrupted after it changed something', () => {
  it('tells what was done when the app is away at the resume, and its run ends', async () => {
    const { notes, answer, told, states } = await parkAfterWrite(says('End.'))
    notes.hideActions(new Error('away'))
    await answer()
    expect(told()).toContain('It did this, and it stays done: create_page')
    expect(told()).not.toContain('Nothing was done')
    expect(await states()).not.toContain('running')
    expect(await states()).not.toContain('waiting')
  })

  it('tells what was done when the app was disconnected while a card was open', async () => {
    const { integrations, connection, answer, told, states } = await parkAfterWrite(says('End.'))
    await integrations.connections.disconnect('local', connection.id)
    await answer()
    expect(told()).toContain('It did this, and it stays done: create_page')
    expect(await states()).not.toContain('running')
  })

  it('tells what was done when the turn is stopped while a card is open, and its run ends', async () => {
    const { session, threads, told, states } = await parkAfterWrite(says('Next.'))
    session.stop()
    await threads.idle()
    expect(await states()).not.toContain('running')
    expect(await states()).not.toContain('waiting')
    await session.send('and?')
    expect(told()).toContain('It did this, and it stays done: create_page')
  })

  it('tells what was done when a new message ends it while a card is open', async () => {
    const { session, told, states } = await parkAfterWrite(says('Next.'))
    await session.send('something else')
    expect(told()).toContain('It did this, and it stays done: create_page')
    expect(await states()).not.toContain('running')
    expect(await states()).not.toContain('waiting')
  })

  it('tells what was done when its model dies after the write', async () => {
    const { answer, told } = await parkAfterWrite(fails(400), says('End.'))
    await answer()
    expect(told()).toContain('It did this, and it stays done: create_page (2 times)')
  })

  it('tells what is unknown after a crash in the middle of a write, with the app away', async () => {
    const store = createMemoryStore()
    const first = start(new ScriptedModel(DELEGATION, page('A')), store)
    await connect(first, 'notes')
    const executing = Promise.withResolvers<void>()
    first.notes.whenExecuting(() => {
      executing.resolve()
      return new Promise(() => {})
    })
    const { id } = await first.threads.create()
    await (await first.threads.open(id)).submit('go')
    await executing.promise
    await first.threads.stop({ graceMs: 0 })
    const model = new ScriptedModel(says('End.'))
    const second = start(model, store)
    second.notes.hideActions(new Error('away'))
    await second.threads.resume()
    await second.threads.idle()
    const told = ownRequests(model)
      .at(-1)!
      .messages.filter(({ role }) => role === 'tool')
      .map(textOf)[0]
    expect(told).toContain('Nobody knows whether this happened: create_page')
    const ends = second.events.filter((event) => event.type === 'turn-end')
    expect(ends.at(-1)!.outcome.openCalls).toMatchObject([{ tool: 'create_page' }])
  })
})
