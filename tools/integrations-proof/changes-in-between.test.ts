import { describe, expect, it } from 'vitest'
import type { Connector } from '@capstan/harness/connectors'
import { defineTool, fail } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import type { Step } from '@capstan/harness/testing'
import { calls, says } from '@capstan/harness/testing'
import type { InProcessApps } from './in-process-apps.fixture.ts'
import { createInProcessApps, GOOD_CODE } from './in-process-apps.fixture.ts'
import { comes, createWorld, DELEGATE, VISITOR } from './world.fixture.ts'

// What is marked `fails` is known, and not mended yet: whoever mends it takes the mark away.

/** One reply after the other, whoever asks. */
function inOrder(...steps: readonly Step[]): Step {
  let n = 0
  return () => steps[n++] ?? says('There is nothing more to say.')
}

const delegate = calls(DELEGATE, { toolkit: 'notes', prompt: 'Create two pages.' })

function withConnector(apps: InProcessApps, change: Partial<Connector>): InProcessApps {
  return {
    connector: { ...apps.connector, ...change },
    done: apps.done,
    get listings() {
      return apps.listings
    },
  }
}

describe('a change while a sub-agent works in an app', () => {
  it('ends its work when the app is disconnected', async () => {
    const apps = createInProcessApps({ slugs: ['notes'] })
    const world = createWorld({
      apps: withConnector(apps, {
        async execute(...args) {
          const outcome = await apps.connector.execute(...args)
          if (apps.done.length === 1) await world.disconnect('notes')
          return outcome
        },
      }),
      reply: inOrder(
        delegate,
        calls('create_page', { title: 'One' }),
        calls('create_page', { title: 'Two' }),
        says('Only one.'),
        says('Only one was created.'),
      ),
    })
    await world.connect('notes')
    const { id } = await world.threads.create()
    expect(await (await world.threads.open(id)).send('Create two.')).toMatchObject({ type: 'done' })
    expect(apps.done).toEqual(['notes:One'])
    const failures = world.events.flatMap((event) =>
      event.type === 'tool-end' ? [event.failure?.class] : [],
    )
    expect(failures).toContain('not_connected')
  })

  it('of the sign-in is not undone by a late refusal of the old one', async () => {
    const apps = createInProcessApps({ slugs: ['notes'] })
    const world = createWorld({
      apps: withConnector(apps, {
        // While the service makes up its mind, the person has signed in again.
        async execute() {
          const { connections } = world.integrations
          const [row] = await connections.list(VISITOR.userId)
          await connections.expire(row!.id, 'Another call found out.')
          const step = await connections.signIn(row!.id, VISITOR)
          const state = step.type === 'visit' ? new URL(step.url).searchParams.get('state')! : ''
          await connections.finish(new URLSearchParams({ state, code: GOOD_CODE }), VISITOR)
          return fail('invalid token', { httpStatus: 401 })
        },
      }),
      reply: inOrder(delegate, calls('create_page', { title: 'One' }), says('No.'), says('No.')),
    })
    await world.connect('notes')
    const { id } = await world.threads.create()
    await (await world.threads.open(id)).send('Create one.')
    expect(await world.integrations.connections.list(VISITOR.userId)).toMatchObject([{ status: 'active' }])
  })
})

describe('a change while a person signs in', () => {
  it('leaves no secret when the connection is disconnected before the service answers', async () => {
    const store = createMemoryStore()
    const apps = createInProcessApps({ slugs: ['notes'] })
    const answering = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const world = createWorld({
      store,
      reply: says('Hello.'),
      apps: withConnector(apps, {
        async finishSignIn({ id }) {
          asked.resolve()
          await answering.promise
          await store.connections.vault.write(id, { token: 'a-token' })
          return { status: 'active' }
        },
        async disconnect({ id }) {
          await store.connections.vault.delete(id)
        },
      }),
    })
    const { connections } = world.integrations
    const { id } = (await connections.begin(VISITOR.userId, 'notes'))!
    const step = await connections.signIn(id, VISITOR)
    const state = step.type === 'visit' ? new URL(step.url).searchParams.get('state')! : ''
    const finishing = connections.finish(new URLSearchParams({ state, code: GOOD_CODE }), VISITOR)
    await asked.promise
    expect(await connections.disconnect(VISITOR.userId, id)).toBe(true)
    answering.resolve()
    expect(await finishing).toEqual({ type: 'refused' })
    expect(await connections.list(VISITOR.userId)).toEqual([])
    expect(await store.connections.vault.read(id)).toBeUndefined()
  })

  it('resumes the waiting turn when the app was connected elsewhere', async () => {
    const store = createMemoryStore()
    const apps = createInProcessApps({ slugs: ['notes'] })
    const world = createWorld({
      apps,
      store,
      reply: inOrder(calls('connect_app', { toolkit: 'notes' }), says('Connected, I see.')),
    })
    const { id } = await world.threads.create()
    await (await world.threads.open(id)).submit('Connect Notes.')
    await world.threads.idle()
    await world.connect('notes') // in the settings, and not through the card
    await world.threads.idle()
    const [run] = await store.runs.list({ userId: VISITOR.userId })
    expect(run).toMatchObject({ status: 'done', outcome: { text: 'Connected, I see.' } })
  })
})

it('an app connected on one node is known to a turn that runs on another, at its next model call', async () => {
  const store = createMemoryStore()
  const { userId } = VISITOR
  const there = createWorld({
    apps: createInProcessApps({ slugs: ['notes'] }),
    store,
    reply: says('Hello.'),
  })
  const happen = defineTool({
    name: 'happen',
    description: 'Lets something happen.',
    input: { type: 'object', properties: {} },
    effect: 'read',
    async run() {
      await there.connect('notes')
      // As the bridge of a node does when another one has told it.
      const [connection] = await store.connections.list(userId)
      await here.integrations.changedElsewhere(userId, [
        { type: 'connections-changed', userId, connection: connection! },
      ])
      return 'It happened.'
    },
  })
  const here = createWorld({
    apps: createInProcessApps({ slugs: ['notes'] }),
    store,
    tools: [happen],
    reply: inOrder(calls('happen'), says('I see.')),
  })
  const { id } = await here.threads.create()
  await (await here.threads.open(id)).send('Let it happen.')
  expect(here.sent.map(({ notices }) => notices.filter(comes('notes')).length)).toEqual([0, 1])
})
