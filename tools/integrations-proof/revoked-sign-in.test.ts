import { expect, it } from 'vitest'
import { calls, says } from '@capstan/harness/testing'
import { createInProcessApps } from './in-process-apps.fixture.ts'
import { createWorld, DELEGATE, isLead, VISITOR } from './world.fixture.ts'

it('a revoked sign-in is detected when the actions are listed, and can be renewed', async () => {
  const apps = createInProcessApps({ slugs: ['notes'] })
  let isGood = true
  const connector = {
    ...apps.connector,
    actions(...args: Parameters<typeof apps.connector.actions>) {
      // As the connector for MCP servers rejects when the server does.
      if (isGood) return apps.connector.actions(...args)
      return Promise.reject(Object.assign(new Error('notes: unauthorized'), { status: 401 }))
    },
  }
  let asked = 0
  const world = createWorld({
    apps: { ...apps, connector },
    reply: (request) => {
      if (!isLead(request))
        return request.messages.at(-1)!.role === 'tool'
          ? says('Created.')
          : calls('create_page', { title: 'Tea' })
      return ++asked % 2 === 1
        ? calls(DELEGATE, { toolkit: 'notes', prompt: 'Create a page.' })
        : says('Well.')
    },
  })
  const { id: connectionId } = await world.connect('notes')
  const { id } = await world.threads.create()
  const session = await world.threads.open(id)
  isGood = false
  await session.send('Save it.')
  const failures = world.events.flatMap((event) => (event.type === 'tool-end' ? [event.failure?.class] : []))
  expect(failures).toEqual(['bad_credentials'])
  const { connections } = world.integrations
  expect(await connections.list(VISITOR.userId)).toMatchObject([{ id: connectionId, status: 'expired' }])

  isGood = true
  const step = await connections.signIn(connectionId, VISITOR)
  const state = step.type === 'visit' ? new URL(step.url).searchParams.get('state')! : ''
  await connections.finish(new URLSearchParams({ state, code: 'good' }), VISITOR)
  await session.send('And now?')
  expect(apps.done).toEqual(['notes:Tea'])
})
