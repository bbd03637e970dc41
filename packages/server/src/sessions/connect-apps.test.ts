import { succeed } from '@capstan/harness'
import type { Connector } from '@capstan/harness/connectors'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'
import { openWorld } from './assistant.fixture.ts'

/** An app whose service does not answer. */
const SILENT: Connector = {
  id: 'silent',
  toolkits: () =>
    Promise.resolve([
      { slug: 'stars', name: 'Stars', description: '', connector: 'silent', auth: 'oauth' as const },
    ]),
  beginSignIn: () => Promise.resolve({ type: 'settled', status: 'active' }),
  finishSignIn: () => Promise.resolve({ status: 'active' }),
  check: () => Promise.reject(new Error('away, with the key sk-very-secret')),
  actions: () => Promise.resolve([]),
  execute: () => Promise.resolve(succeed('')),
  disconnect: () => Promise.resolve(),
  onChange: () => () => {},
  close: () => Promise.resolve(),
}

describe('a service that cannot be asked for the state of a connection', () => {
  it('is named in the log of the server, without what it said', async () => {
    const model = new ScriptedModel(
      calls('call_action', { toolkit: 'stars', action: 'count', arguments: {} }),
      says('Stars is not connected.'),
    )
    const { assistant, problems } = await openWorld({ connectors: [SILENT], model })
    await assistant.integrations.connections.begin('local', 'stars')
    const threads = assistant.threadsOf('local')
    const session = await threads.open((await threads.create()).id)
    expect(await session.send('How many stars?')).toMatchObject({ type: 'done' })
    expect(problems.map(String)).toContain(
      'Error: stars (silent): the state of a connection could not be read',
    )
    expect(problems.map(String).join()).not.toContain('sk-very-secret')
  })
})
