import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '@capstan/harness/models'
import { defineTool } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import type { ScriptedReply } from '@capstan/harness/testing'
import { calls, says } from '@capstan/harness/testing'
import { createInProcessApps } from './in-process-apps.fixture.ts'
import { createWorld, DELEGATE, enumIn, isLead } from './world.fixture.ts'

type Work = (name: string) => Promise<unknown>

/** A world in which the model has things done while its turn runs, one after another. */
function start(script: readonly (ScriptedReply | 'child')[], work: Work, store = createMemoryStore()) {
  const apps = createInProcessApps({ slugs: ['notes', 'mail'] })
  const happen = defineTool({
    name: 'happen',
    description: 'Lets something happen.',
    input: { type: 'object', properties: { what: { type: 'string' } } },
    effect: 'read',
    async run({ what }) {
      await work(what as string)
      return `${what as string} happened`
    },
  })
  const replies = script.filter((reply) => reply !== 'child')
  let n = 0
  const child = ({ messages }: ModelRequest) =>
    messages.at(-1)!.role === 'tool' ? says('Created.') : calls('create_page', { title: 'Tea' })
  const world = createWorld({
    apps,
    store,
    mode: 'live-enum',
    tools: [happen],
    reply: (request) => (isLead(request) ? replies[n++]! : child(request)),
  })
  return { apps, world }
}

describe('the enum of the delegating tool, in live-enum mode', () => {
  it('lists an app in the turn in which it is connected, and no longer in the one in which it is disconnected', async () => {
    const { apps, world } = start(
      [
        calls('happen', { what: 'connect notes' }),
        calls(DELEGATE, { toolkit: 'notes', prompt: 'Create a page titled Tea.' }),
        calls('happen', { what: 'connect mail' }),
        calls('happen', { what: 'disconnect notes' }),
        says('Done.'),
      ],
      (what) => {
        const [verb, slug] = what.split(' ')
        return verb === 'connect' ? world.connect(slug!) : world.disconnect(slug!)
      },
    )
    const { id } = await world.threads.create()
    const outcome = await (await world.threads.open(id)).send('Create a page titled Tea.')
    expect(outcome).toMatchObject({ type: 'done', text: 'Done.' })
    expect(world.sent.map(enumIn)).toEqual([[], ['notes'], ['notes'], ['mail', 'notes'], ['mail']])
    expect(apps.done).toEqual(['notes:Tea'])
    expect(new Set(world.sent.map(({ system }) => system)).size).toBe(1)
    // Each change of the tools is said to have broken the prefix, and nothing else is.
    const broken = world.events.filter((event) => event.type === 'prefix-break').map(({ field }) => field)
    expect(broken).toEqual(['tools', 'tools', 'tools'])
  })

  it('is correct after a restart, whatever was announced before', async () => {
    const store = createMemoryStore()
    const before = start([says('Hello.')], async () => {}, store).world
    const { id } = await before.threads.create()
    await (await before.threads.open(id)).send('Hello?')
    await before.connect('notes')
    await before.threads.stop()

    const after = start([says('I see.'), says('Gone.')], async () => {}, store).world
    const session = await after.threads.open(id)
    await session.send('And now?')
    await after.disconnect('notes')
    await session.send('And now?')
    expect([...before.sent, ...after.sent].map(enumIn)).toEqual([[], ['notes'], []])
  })
})
