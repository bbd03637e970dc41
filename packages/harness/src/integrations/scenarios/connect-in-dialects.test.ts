import { describe, expect, it } from 'vitest'
import { DIALECTS, inDialect } from '../../engine/scenarios/in-dialect.fixture.ts'
import type { Step } from '../../testing/index.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { appNotices, connect, ownRequests, start } from './notes-connector.fixture.ts'

const text = { type: 'string' }
const form = (name: string, ...fields: readonly string[]) => ({
  name,
  input: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, text])) },
})
/** The tools that are called, as far as a call of them is written. */
const FORMS = [
  form('delegate_to_integrations_agent', 'toolkit', 'prompt', 'context', 'account'),
  form('connect_app', 'toolkit'),
  form('create_page', 'title'),
]
const CONNECT = calls('connect_app', { toolkit: 'notes' })
const DELEGATE = calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create a page "Tea".' })
const CREATE = calls('create_page', { title: 'Tea' })
const DIRECT = calls('call_action', { toolkit: 'notes', action: 'create_page', arguments: { title: 'Tea' } })

describe.each(DIALECTS)('an app that is connected in the middle of a turn, in %s,', (dialect) => {
  async function play(...steps: readonly Step[]) {
    const model = new ScriptedModel(...steps.map((step) => inDialect(step, dialect, FORMS)))
    const world = start(model, undefined, { dialect })
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    return { ...world, model, session }
  }

  it.each([
    ['delegates to it', [DELEGATE, CREATE, says('Created.')]],
    ['calls its action', [DIRECT]],
  ])('is used by that same turn, which %s', async (_, steps) => {
    const { model, session, asked, threads, signIn, notes } = await play(CONNECT, ...steps, says('Saved.'))
    const turn = session.send('Save "Tea" to Notes.')
    const card = await asked
    await threads.idle()
    expect(session.state).toBe('parked')
    await signIn(card.connectionId)
    expect(await turn).toMatchObject({ type: 'done', text: 'Saved.' })
    expect(notes.pages).toEqual(['Tea'])
    expect(appNotices(model).filter((line) => line.includes('Notes is connected now'))).toHaveLength(1)
    const requests = ownRequests(model)
    expect(new Set(requests.map(({ system }) => system)).size).toBe(1)
    expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1)
  })

  it('is used when it was connected elsewhere meanwhile', async () => {
    const other = calls('delegate_to_integrations_agent', { toolkit: 'mail', prompt: 'x' })
    const world = await play(other, DELEGATE, CREATE, says('Created.'), says('Saved.'))
    await world.session.load()
    await connect(world, 'notes')
    expect(await world.session.send('go')).toMatchObject({ type: 'done', text: 'Saved.' })
    expect(world.notes.pages).toEqual(['Tea'])
    expect(appNotices(world.model)).toEqual([expect.stringContaining('Notes is connected now')])
  })
})
