import type { TurnEvent } from '@capstan/protocol'
import { WELCOME_PROMPTS } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { World } from '../assistant.fixture.ts'
import { ask, connectNotes, openWorld, signIn, startNotes, toPreset } from '../assistant.fixture.ts'

const TIMEOUT = { timeout: 60_000 }

async function openWithNotes(options: { readonly safetyMode: 'supervised' | 'full' }) {
  const app = await startNotes()
  const world = await openWorld({ presets: [toPreset(app)] })
  await world.assistant.changeSettings('local', options)
  return { app, world }
}

const eventsOf = ({ updates }: World): readonly TurnEvent[] =>
  updates.flatMap((one) => (one.type === 'turn-event' ? [one.event] : []))

const starts = (world: World): readonly string[] =>
  eventsOf(world).flatMap((event) => (event.type === 'tool-start' ? [event.tool] : []))

const promptOf = (id: string): string => WELCOME_PROMPTS.find((prompt) => prompt.id === id)!.text

describe('the demo with Notes', TIMEOUT, () => {
  it('saves a page in one turn with a sign-in and an approval', async () => {
    const { app, world } = await openWithNotes({ safetyMode: 'supervised' })
    const turn = ask(world, promptOf('connect'))
    const card = await world.findEvent('connection-request')
    expect(card).toMatchObject({ toolkit: 'notes', name: 'Notes' })
    await signIn(world.assistant, app, card.connectionId)
    const approval = await world.findEvent('approval-request')
    expect(approval).toMatchObject({ tool: 'create_page', arguments: { title: 'Packing for Sandholm' } })
    await world.assistant.threadsOf('local').answer(approval.approvalId, 'allow-once')
    const outcome = await turn
    expect(outcome).toMatchObject({
      type: 'done',
      text: expect.stringContaining('It is in your Notes. Created'),
    })
    expect(app.pages.list('ada').find(({ title }) => title === 'Packing for Sandholm')?.text).toContain(
      'Tide table',
    )
    expect(eventsOf(world).filter(({ type }) => type === 'prefix-break')).toEqual([])
  })

  it('explains that nothing was written when the user does not connect', async () => {
    const { world } = await openWithNotes({ safetyMode: 'supervised' })
    const turn = ask(world, promptOf('connect'))
    const card = await world.findEvent('connection-request')
    await world.assistant.integrations.connections.disconnect('local', card.connectionId)
    expect(await turn).toMatchObject({
      type: 'done',
      text: 'Without Notes I cannot do it, and nothing was written. Connect it whenever you like, and ask me again.',
    })
  })

  it('asks for no sign-in when Notes is connected', async () => {
    const { app, world } = await openWithNotes({ safetyMode: 'full' })
    await connectNotes(world, app)
    expect(await ask(world, 'Save "Tea: three minutes" to my Notes')).toMatchObject({ type: 'done' })
    expect(starts(world)).toEqual(['delegate_to_integrations_agent', 'create_page'])
    expect(app.pages.list('ada')[0]).toMatchObject({ text: 'Tea: three minutes' })
  })

  it('says that nothing was written when the user denies the approval', async () => {
    const { app, world } = await openWithNotes({ safetyMode: 'supervised' })
    await connectNotes(world, app)
    const before = app.pages.list('ada').length
    const turn = ask(world, promptOf('connect'))
    const approval = await world.findEvent('approval-request')
    await world.assistant.threadsOf('local').answer(approval.approvalId, 'deny')
    expect(await turn).toMatchObject({ type: 'done', text: expect.stringMatching(/^It was not done\./) })
    expect(app.pages.list('ada')).toHaveLength(before)
  })

  it('runs two sub-agents at the same time and answers from their reports', async () => {
    const { app, world } = await openWithNotes({ safetyMode: 'supervised' })
    await connectNotes(world, app)
    const outcome = await ask(world, promptOf('sub-agents'))
    expect(outcome).toMatchObject({ type: 'done' })
    expect(outcome.text).toContain('**Sourdough**: 400 g flour')
    expect(outcome.text).toMatch(/\d\. Thursday: Trip to Lisbon/)
    const events = eventsOf(world)
    const children = events.filter((event) => event.type === 'turn-start' && event.depth === 1)
    expect(children.map((event) => event.type === 'turn-start' && event.agent)).toEqual([
      'researcher',
      'planner',
    ])
    const firstEnd = events.findIndex(
      (event) => event.type === 'turn-end' && event.runId === children[0]?.runId,
    )
    expect(events.findIndex((event) => event === children[1])).toBeLessThan(firstEnd)
    expect(events.some((event) => event.type === 'turn-start' && event.depth === 2)).toBe(true)
  })

  it('reports a busy calendar and imports it when it answers', async () => {
    const { app, world } = await openWithNotes({ safetyMode: 'full' })
    await connectNotes(world, app)
    const answers = [
      await ask(world, promptOf('failure')),
      await ask(world, promptOf('failure')),
      await ask(world, promptOf('failure')),
    ]
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^It was not done\. .*busy/),
      expect.stringMatching(/^It was not done\. .*busy/),
      expect.stringContaining('Your week is in your Notes now.'),
    ])
    const failed = eventsOf(world).find((event) => event.type === 'tool-end' && !event.ok)
    expect(failed).toMatchObject({ tool: 'sync_calendar', failure: { class: 'rate_limited' } })
    expect(app.pages.list('ada').map(({ title }) => title)).toContain('This week')
  })

  it.each([
    ['Export my Notes', /far too long to show/],
    ['Rebuild the index of my Notes', /^Indexed \d pages/],
    ['What is in my Notes?', /Sourdough/],
    ['What do my Notes say about Lisbon?', /Trip to Lisbon/],
  ])('answers "%s" from the result of the app', async (words, answer) => {
    const { app, world } = await openWithNotes({ safetyMode: 'full' })
    await connectNotes(world, app)
    expect(await ask(world, words)).toMatchObject({ type: 'done', text: expect.stringMatching(answer) })
  })
})

describe('the demo without any app', TIMEOUT, () => {
  it.each([
    ['Compose an opera', /a script, not an AI/],
    ['What time is it?', /^It is \d\d:\d\d on \w+day\.$/],
    ['Show me Markdown', /\| tide \| time \|/],
    ['Read https://ferries.invalid/timetable', /^I could not read it/],
  ])('answers "%s"', async (words, answer) => {
    const world = await openWorld()
    expect(await ask(world, words)).toMatchObject({ type: 'done', text: expect.stringMatching(answer) })
  })

  it('is halted by a guard when it repeats a call', async () => {
    const world = await openWorld()
    expect(await ask(world, 'Show me a loop')).toMatchObject({
      type: 'halted',
      text: expect.stringMatching(/\w/),
    })
  })

  it('asks a question and uses the answer', async () => {
    const { assistant } = await openWorld()
    const threads = assistant.threadsOf('local')
    const { id } = await threads.create()
    const session = await threads.open(id)
    expect(await session.send('Ask me something')).toMatchObject({ type: 'needs-input' })
    expect(await session.send('2')).toMatchObject({ type: 'done', text: expect.stringContaining('By ferry') })
  })

  it('stops at the iteration cap and continues from there', async () => {
    const { assistant } = await openWorld()
    const threads = assistant.threadsOf('local')
    const { id } = await threads.create()
    const session = await threads.open(id)
    const capped = await session.send('Walk the Meridian')
    if (capped.type !== 'capped') throw new Error(capped.type)
    expect(capped.text).toContain('let me continue')
    const { outcome } = await session.continue(capped.resumeToken!)
    const done = await outcome
    expect(done).toMatchObject({ type: 'done', text: expect.stringContaining('America/Los_Angeles') })
    expect(done.text.match(/\| \w+\/\w+ \| \d\d:\d\d on/g)).toHaveLength(18)
  })
})
