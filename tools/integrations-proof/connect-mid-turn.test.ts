import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createMcpConnector } from '@capstan/connectors'
import type { Store } from '@capstan/harness/stores'
import { createThreads, textOf } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { ALLOW_ALL, calls, says, ScriptedModel } from '@capstan/harness/testing'
import type { NotesApp } from '@capstan/notes-app'
import { startNotesApp } from '@capstan/notes-app'
import type { TurnEvent } from '@capstan/protocol'
import { openEmbeddedStore } from '@capstan/stores'
import { createBrowser } from '../../examples/notes-app/src/testing/browser.ts'

const VISITOR = { userId: 'local', browserId: 'a-cookie', redirectUri: 'http://127.0.0.1:9/callback' }

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function startApp(): Promise<{ app: NotesApp; folder: string }> {
  const app = await startNotesApp()
  cleanups.push(() => app.close())
  const folder = await mkdtemp(join(tmpdir(), 'capstan-mid-turn-'))
  cleanups.push(() => rm(folder, { recursive: true }))
  return { app, folder }
}

/** Everything real but the model: store, MCP, OAuth, HTTP. */
function startAssistant(
  app: NotesApp,
  folder: string,
  model: ScriptedModel,
  whenEvent?: (event: TurnEvent) => Promise<void>,
) {
  const store: Store = openEmbeddedStore({ folder })
  const connector = createMcpConnector({
    servers: [{ slug: 'notes', name: 'Notes', transport: { type: 'http', url: app.mcpUrl } }],
    vault: store.connections.vault,
  })
  const integrations = createIntegrations({ connectors: [connector], store: store.connections })
  const events: TurnEvent[] = []
  const statuses: string[] = []
  integrations.bus.subscribe((event) => {
    if (event.type === 'connections-changed') statuses.push(event.connection.status)
  })
  const asked = Promise.withResolvers<Extract<TurnEvent, { type: 'connection-request' }>>()
  const answered = Promise.withResolvers<void>()
  const threads = createThreads({
    store,
    bus: integrations.bus,
    agent: {
      model,
      origin: 'web',
      instructions: 'You lead.',
      safety: ALLOW_ALL,
      ...integrations.forUser('local'),
    },
    async onEvent(event) {
      events.push(event)
      if (event.type === 'connection-request') asked.resolve(event)
      if (event.type === 'turn-end' && event.outcome.text === ANSWER) answered.resolve()
      await whenEvent?.(event)
    },
  })
  const close = async () => {
    await threads.stop({ graceMs: 0 })
    await integrations.close()
    await store.close()
  }
  return {
    store,
    integrations,
    threads,
    events,
    statuses,
    asked: asked.promise,
    answered: answered.promise,
    close,
  }
}

/** What the person does: follows the link, reads the consent page, allows, and comes back. */
async function allow(app: NotesApp, url: string, account = 'ada'): Promise<URLSearchParams> {
  const browser = createBrowser(app.url)
  const page = await browser.open(url)
  if (page.type !== 'page') throw new Error('no consent page')
  const back = await browser.submit({ account, decision: 'allow' })
  if (back.type !== 'left') throw new Error(`still there: ${back.status}`)
  return back.to.searchParams
}

/** Every word in a secret that is long enough to be one. */
function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[\w.~+/=-]{30,}$/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : []
}

const ANSWER = 'It is in your Notes.'

const REPLIES = [
  calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create a page titled Tea.' }),
  calls('connect_app', { toolkit: 'notes' }),
  calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create a page titled Tea.' }),
  calls('create_page', { title: 'Tea', text: 'Three minutes.' }),
  says('The page exists.'),
  says(ANSWER),
]

/** A model that says what comes after so many replies. */
const scriptedModel = (said = 0) => new ScriptedModel(...REPLIES.slice(said))

describe('an app connected in the middle of a turn, with real parts', () => {
  it('is used by the same turn, and a second client reads what it wrote', { timeout: 60_000 }, async () => {
    const { app, folder } = await startApp()
    const model = scriptedModel()
    const assistant = startAssistant(app, folder, model)
    cleanups.push(assistant.close)
    const { id } = await assistant.threads.create()
    const turn = (await assistant.threads.open(id)).send('Save "Tea" to my Notes.')
    const card = await assistant.asked
    await assistant.threads.idle()

    const { connections } = assistant.integrations
    const step = await connections.signIn(card.connectionId, VISITOR)
    if (step.type !== 'visit') throw new Error(JSON.stringify(step))
    const finished = await connections.finish(await allow(app, step.url), VISITOR)
    expect(finished).toMatchObject({
      type: 'settled',
      connection: { status: 'active', toolkit: 'notes', label: 'ada@notes.example' },
    })

    expect(await turn).toMatchObject({ type: 'done', text: ANSWER })
    expect(app.pages.list('ada').map(({ title }) => title)).toContain('Tea')

    const requests = Array.from({ length: model.requests }, (_, n) => model.request(n)).filter(({ system }) =>
      system.includes('You lead.'),
    )
    expect(requests).toHaveLength(4)
    for (const [n, request] of requests.entries()) {
      expect(request.system).toBe(requests[0]!.system)
      expect(JSON.stringify(request.tools)).toBe(JSON.stringify(requests[0]!.tools))
      const before = requests[n - 1]?.messages ?? []
      expect(JSON.stringify(request.messages.slice(0, before.length))).toBe(JSON.stringify(before))
    }
    const notices = requests
      .at(-1)!
      .messages.filter(({ role }) => role === 'notice')
      .map(textOf)
    expect(notices.filter((text) => text.includes('Notes is connected now'))).toHaveLength(1)
    expect(assistant.events.filter(({ type }) => type === 'prefix-break')).toEqual([])
  })

  it(
    'is used after a restart when the process ended while the person was signing in',
    { timeout: 60_000 },
    async () => {
      const { app, folder } = await startApp()
      const first = startAssistant(app, folder, scriptedModel())
      const { id } = await first.threads.create()
      const turn = (await first.threads.open(id)).send('Save "Tea" to my Notes.')
      turn.catch(() => {})
      const card = await first.asked
      await first.threads.idle()
      const step = await first.integrations.connections.signIn(card.connectionId, VISITOR)
      if (step.type !== 'visit') throw new Error(JSON.stringify(step))
      await first.close()

      const second = startAssistant(app, folder, scriptedModel(2))
      cleanups.push(second.close)
      expect(await second.threads.resume()).toEqual({ running: 0, waiting: 1 })
      const finished = await second.integrations.connections.finish(await allow(app, step.url), VISITOR)
      expect(finished).toMatchObject({ type: 'settled', connection: { status: 'active' } })
      await second.answered
      expect(app.pages.list('ada').map(({ title }) => title)).toContain('Tea')
      const [run] = await second.store.runs.list({ userId: 'local', depth: 0 })
      expect(run).toMatchObject({ status: 'done', resumes: 1 })

      // Nothing that could be used to sign in lies about in clear.
      const tokens = secretsIn(await second.store.connections.vault.read(card.connectionId))
      expect(tokens.length).toBeGreaterThan(1)
      const written = [
        JSON.stringify(second.events),
        JSON.stringify(await second.store.ledger.read(run!.threadId)),
      ]
      for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
        if (file.isFile()) written.push((await readFile(join(file.parentPath, file.name))).toString('latin1'))
      for (const token of tokens) for (const text of written) expect(text.includes(token)).toBe(false)
    },
  )

  it(
    'is signed in to again by the same turn when the authorisation was revoked while an action ran',
    { timeout: 60_000 },
    async () => {
      const { app, folder } = await startApp()
      const model = new ScriptedModel(
        calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create a page titled Tea.' }),
        calls('create_page', { title: 'Tea', text: 'Three minutes.' }),
        says('The app refused.'),
        ...REPLIES.slice(1),
      )
      let isTakenBack = false
      const assistant = startAssistant(app, folder, model, async (event) => {
        if (isTakenBack || event.type !== 'tool-start' || event.tool !== 'create_page') return
        isTakenBack = true
        await app.disconnectApps('ada')
      })
      cleanups.push(assistant.close)
      const { connections } = assistant.integrations
      const { id: connectionId } = (await connections.begin('local', 'notes'))!
      const signIn = async () => {
        const step = await connections.signIn(connectionId, VISITOR)
        if (step.type !== 'visit') throw new Error(JSON.stringify(step))
        return connections.finish(await allow(app, step.url), VISITOR)
      }
      await signIn()
      const { id } = await assistant.threads.create()
      const turn = (await assistant.threads.open(id)).send('Save "Tea" to my Notes.')
      const card = await assistant.asked
      await assistant.threads.idle()
      const refused = assistant.events.find((event) => event.type === 'tool-end')
      expect(refused).toMatchObject({
        tool: 'create_page',
        failure: { class: 'bad_credentials', next: 'Reconnect the account.' },
      })
      expect(card.connectionId).toBe(connectionId)
      const seen = assistant.statuses.filter((status) => status !== 'active')
      expect(seen).toEqual(['pending', 'expired', 'pending'])
      expect(app.pages.list('ada').map(({ title }) => title)).not.toContain('Tea')

      expect(await signIn()).toMatchObject({
        type: 'settled',
        connection: { id: connectionId, status: 'active' },
      })
      expect(await turn).toMatchObject({ type: 'done', text: ANSWER })
      expect(app.pages.list('ada').map(({ title }) => title)).toContain('Tea')
      expect(await connections.list('local')).toHaveLength(1)
    },
  )
})
