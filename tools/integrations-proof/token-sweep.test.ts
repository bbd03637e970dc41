import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createMcpConnector } from '@capstan/connectors'
import type { ModelRequest } from '@capstan/harness/models'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { createThreads } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { explainThread } from '@capstan/harness/ledger'
import { systemClock } from '@capstan/harness/seams'
import type { Step } from '@capstan/harness/testing'
import { ALLOW_ALL, calls, callsMany, says, ScriptedModel } from '@capstan/harness/testing'
import type { NotesApp } from '@capstan/notes-app'
import { startNotesApp } from '@capstan/notes-app'
import type { ConnectionRow, TurnEvent } from '@capstan/protocol'
import { openEmbeddedStore } from '@capstan/stores'
import { createBrowser } from '../../examples/notes-app/src/testing/browser.ts'
import type { IssuedSecrets } from './issued-secrets.fixture.ts'
import { collectSecrets } from './issued-secrets.fixture.ts'
import { DELEGATE, VISITOR } from './world.fixture.ts'

const HOUR = 3_600_000

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

it(
  'no token, verifier or client secret appears anywhere after a simulated day',
  { timeout: 60_000 },
  async () => {
    const seen = recordEverything()
    const app = await startNotesApp({ log: (line) => seen.note('log of the app', line) })
    cleanups.push(() => app.close())
    const secrets = collectSecrets(app.url)
    cleanups.push(() => secrets.stop())
    const folder = await mkdtemp(join(tmpdir(), 'capstan-sweep-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    const clock = createMovableClock()

    const morning = startAssistant({ app, folder, secrets, clock, seen }, MORNING)
    const { connections } = morning.integrations
    const signIn = async (id: string, person: Person) => {
      const step = await connections.signIn(id, VISITOR)
      if (step.type !== 'visit') throw new Error(JSON.stringify(step))
      // It is in the address, and in nothing else.
      secrets.add('state', new URL(step.url).searchParams.get('state')!)
      seen.note('address for the browser', step.url)
      const back = await visit(app, step.url, person)
      if (back.has('code')) secrets.add('code', back.get('code')!)
      const answer = await connections.finish(back, VISITOR)
      seen.note('answer to the callback', answer)
      return answer.type === 'settled' ? answer.connection.status : answer.type
    }

    // The model asks for Notes; the person says no, and then yes.
    const { id } = await morning.threads.create()
    const session = await morning.threads.open(id)
    const refused = session.send('Save "Tea" to my Notes.')
    expect(await signIn(await morning.nextCard(), 'nobody')).toBe('failed')
    expect(await refused).toMatchObject({ type: 'done', text: 'You said no.' })
    const first = session.send('Once more, please.')
    const adaId = await morning.nextCard()
    expect(await signIn(adaId, 'ada')).toBe('active')
    expect(await first).toMatchObject({ type: 'done', text: 'It is in your Notes.' })
    expect(app.pages.list('ada').map(({ title }) => title)).toContain('Tea')

    // A second account, a code that nobody issued, and calls that fail.
    const team = (await connections.begin(VISITOR.userId, 'notes'))!
    expect(await signIn(team.id, 'a forger')).toBe('failed')
    expect(await signIn(team.id, 'team')).toBe('active')
    const byHand = (await connections.begin(VISITOR.userId, 'by_hand'))!
    expect(await signIn(byHand.id, 'a forger')).toBe('failed')
    expect(await session.send('Sync my calendar, and read a page that is not there.')).toMatchObject({
      type: 'done',
    })

    // The token runs out: first by our clock, then only by the clock of the service.
    const ada = await rowOf(morning.store, adaId)
    const listAtOnce = async (connection: ConnectionRow) => {
      const before = secrets.exchanges
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          morning.connector.execute(connection, 'list_pages', {}, call(`many-${n}-${before}`)),
        ),
      )
      seen.note('outcomes', outcomes)
      expect(outcomes.filter(({ ok }) => !ok)).toEqual([])
      return secrets.exchanges - before
    }
    expect(await listAtOnce(ada)).toBe(0)
    clock.move(HOUR)
    expect(await listAtOnce(ada)).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
    cleanups.push(() => vi.useRealTimers())
    expect(await listAtOnce(ada)).toBe(1)
    expect(await listAtOnce(await rowOf(morning.store, team.id))).toBe(1)
    clock.move(HOUR)
    expect(await session.send('Look eight times.')).toMatchObject({ type: 'done', text: 'Looked.' })

    // The person takes the access back at the service; the same thread goes on after a new sign-in.
    morning.afterCallOf('list_pages', () => app.disconnectApps('ada'))
    expect(await session.send('Save "Milk".')).toMatchObject({
      type: 'done',
      text: 'Please reconnect Notes.',
    })
    expect((await rowOf(morning.store, adaId)).status).toBe('expired')
    expect(await signIn(adaId, 'ada')).toBe('active')
    expect(await session.send('Now?')).toMatchObject({ type: 'done', text: 'Saved.' })
    expect(app.pages.list('ada').map(({ title }) => title)).toContain('Milk')

    // The evening: one account is disconnected, and everything is started anew on the same files.
    expect(await connections.disconnect(VISITOR.userId, team.id)).toBe(true)
    await noteFiles(folder, seen)
    await morning.close()
    const evening = startAssistant({ app, folder, secrets, clock, seen }, EVENING)
    expect(await (await evening.threads.open(id)).send('Read "Milk".')).toMatchObject({
      text: 'It is there.',
    })
    await noteFiles(folder, seen)
    await evening.close()
    await noteFiles(folder, seen)

    const kinds = Object.groupBy(secrets.all.values(), (kind) => kind)
    expect(Object.keys(kinds)).toEqual(
      expect.arrayContaining([
        'access_token',
        'refresh_token',
        'id_token',
        'verifier',
        'client_secret',
        'code',
        'state',
      ]),
    )
    expect(secrets.all.size).toBeGreaterThan(20)
    for (const secret of secrets.all.keys()) expect(secret.length).toBeGreaterThan(15)
    // The sweep itself: what is searched for would be found.
    expect(seen.places()).toEqual(
      expect.arrayContaining([
        'address for the browser',
        'event',
        'file',
        'ledger',
        'prompt',
        'outcomes',
        'run report',
      ]),
    )
    expect(seen.find('Tea', 'file')).toBe(true)
    const found = [...secrets.all].flatMap(([secret, kind]) =>
      seen
        .places()
        .filter(
          (place) => !(kind === 'state' && place === 'address for the browser') && seen.find(secret, place),
        )
        .map((place) => `${kind} in ${place}`),
    )
    expect(found).toEqual([])
  },
)

const delegate = (prompt: string) => calls(DELEGATE, { toolkit: 'notes', prompt })

const MORNING: readonly Step[] = [
  calls('connect_app', { toolkit: 'notes' }),
  says('You said no.'),
  // Once more, please.
  calls('connect_app', { toolkit: 'notes' }),
  delegate('Create a page titled Tea.'),
  calls('create_page', { title: 'Tea', text: 'Three minutes.' }),
  says('The page exists.'),
  says('It is in your Notes.'),
  // Sync my calendar …
  delegate('Bring in the calendar, and read a page that is not there.'),
  callsMany([{ tool: 'sync_calendar' }, { tool: 'read_page', args: { pageId: 'p_0000000000000000' } }]),
  says('Both failed.'),
  says('Both.'),
  // Look eight times.
  delegate('List the pages eight times.'),
  callsMany(Array.from({ length: 8 }, (_, n) => ({ tool: 'search_pages', args: { query: `tea ${n}` } }))),
  says('Listed.'),
  says('Looked.'),
  // Save "Milk".
  delegate('List the pages, then create one titled Milk.'),
  calls('list_pages'),
  calls('create_page', { title: 'Milk', text: 'Two bottles.' }),
  says('It was refused.'),
  says('Please reconnect Notes.'),
  // Now?
  delegate('Create a page titled Milk.'),
  calls('create_page', { title: 'Milk', text: 'Two bottles.' }),
  says('The page exists.'),
  says('Saved.'),
]

const EVENING: readonly Step[] = [
  delegate('Search for Milk.'),
  calls('search_pages', { query: 'milk' }),
  says('Found.'),
  says('It is there.'),
]

interface Setting {
  readonly app: NotesApp
  readonly folder: string
  readonly secrets: IssuedSecrets
  readonly clock: Clock
  readonly seen: Seen
}

function startAssistant({ app, folder, secrets, clock, seen }: Setting, script: readonly Step[]) {
  const opened = openEmbeddedStore({ folder })
  const vault = secrets.watch(opened.connections.vault)
  const store: Store = { ...opened, connections: { ...opened.connections, vault } }
  const connector = createMcpConnector({
    servers: [
      { slug: 'notes', name: 'Notes', transport: { type: 'http', url: app.mcpUrl } },
      // Notes knows only clients without a secret, so this one never comes in; its secret is sent all the same.
      {
        slug: 'by_hand',
        transport: { type: 'http', url: app.mcpUrl },
        client: { id: 'by-hand', secret: 'made-by-hand-4f1c09d7b2a86e35' },
      },
    ],
    vault,
    clock,
    onProblem: (problem) => seen.note('problem', problem),
  })
  const integrations = createIntegrations({ connectors: [connector], store: store.connections })
  const model = new ScriptedModel(...script.map(recorded))
  function recorded(step: Step): Step {
    return (request: ModelRequest) => {
      seen.note('prompt', { ...request, tools: request.tools.map(({ name, input }) => [name, input]) })
      return step
    }
  }
  const afterCalls = new Map<string, () => Promise<void>>()
  const cards: string[] = []
  const waiting: ((id: string) => void)[] = []
  integrations.bus.subscribe((event) => seen.note('bus event', event))
  const threads = createThreads({
    store,
    bus: integrations.bus,
    agent: {
      model,
      origin: 'web',
      instructions: 'You lead.',
      safety: ALLOW_ALL,
      ...integrations.forUser(VISITOR.userId),
    },
    onProblem: (error) => seen.note('problem', String(error)),
    onEvent(event: TurnEvent) {
      seen.note('event', event)
      if (event.type === 'tool-end') return afterCalls.get(event.tool)?.()
      if (event.type !== 'connection-request') return undefined
      const next = waiting.shift()
      if (next) next(event.connectionId)
      else cards.push(event.connectionId)
      return undefined
    },
  })
  return {
    store,
    connector,
    integrations,
    threads,
    afterCallOf: (tool: string, work: () => Promise<void>) => void afterCalls.set(tool, work),
    /** The connection that the next connect card asks for, once its turn waits. */
    async nextCard(): Promise<string> {
      const id = cards.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))
      await threads.idle()
      return id
    },
    async close() {
      for (const { id } of await threads.list()) {
        const records = await store.ledger.read(id)
        seen.note('ledger', records)
        seen.note('run report', explainThread(records))
      }
      seen.note('row', await store.connections.list(VISITOR.userId))
      await threads.stop({ graceMs: 0 })
      await integrations.close()
      await opened.close()
    },
  }
}

type Person = 'ada' | 'team' | 'nobody' | 'a forger'

/** What the person does: reads the consent page, and allows it or does not. */
async function visit(app: NotesApp, url: string, person: Person): Promise<URLSearchParams> {
  if (person === 'a forger') {
    return new URLSearchParams({
      state: new URL(url).searchParams.get('state')!,
      code: 'a-code-that-nobody-ever-issued',
      iss: app.url,
    })
  }
  const browser = createBrowser(app.url)
  const page = await browser.open(url)
  if (page.type !== 'page') throw new Error('no consent page')
  const back = await browser.submit(
    person === 'nobody' ? { decision: 'cancel' } : { account: person, decision: 'allow' },
  )
  if (back.type !== 'left') throw new Error(`still there: ${back.status}`)
  return back.to.searchParams
}

async function rowOf(store: Store, id: string): Promise<ConnectionRow> {
  return (await store.connections.get(id))!
}

const call = (idempotencyKey: string) => ({ signal: new AbortController().signal, idempotencyKey })

/** Our time, which has nothing to do with the service's. */
function createMovableClock(): Clock & { move(ms: number): void } {
  let now = Date.now()
  return { ...systemClock, now: () => now, move: (ms) => void (now += ms) }
}

type Seen = ReturnType<typeof recordEverything>

/** Whatever anybody could read, by the place where it was. */
function recordEverything() {
  const texts = new Map<string, string[]>()
  const note = (place: string, what: unknown): void => {
    const list = texts.get(place) ?? []
    list.push(typeof what === 'string' ? what : (JSON.stringify(what) ?? ''))
    texts.set(place, list)
  }
  const onWarning = (warning: Error) => note('warning', `${warning.name} ${warning.message} ${warning.stack}`)
  process.on('warning', onWarning)
  cleanups.push(() => process.off('warning', onWarning))
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      for (const arg of args) note('console', arg instanceof Error ? `${arg.message} ${arg.stack}` : arg)
    })
    cleanups.push(() => spy.mockRestore())
  }
  return {
    note,
    places: () => [...texts.keys()],
    find: (text: string, place: string) => (texts.get(place) ?? []).some((seen) => seen.includes(text)),
  }
}

/** Every file, byte for byte. */
async function noteFiles(folder: string, seen: Seen): Promise<void> {
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    seen.note('file', (await readFile(join(file.parentPath, file.name))).toString('latin1'))
  }
}
