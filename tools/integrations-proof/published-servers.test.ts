import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { McpServerConfig } from '@capstan/connectors'
import { createMcpConnector } from '@capstan/connectors'
import type { ModelRequest } from '@capstan/harness/models'
import { createThreads, defineTool, textOf } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { UNCONFINED } from '@capstan/harness/sandbox'
import { createMemoryStore } from '@capstan/harness/stores'
import { ALLOW_ALL, calls, says, ScriptedModel } from '@capstan/harness/testing'
import { createBubblewrapSandbox } from '@capstan/sandbox'
import type { TurnEvent } from '@capstan/protocol'
import { DELEGATE, VISITOR } from './world.fixture.ts'

const require = createRequire(import.meta.url)

const confining = createBubblewrapSandbox({ hidden: [] })
const { state, found } = await confining.check()
if (state !== 'works') console.warn(`Confined servers are not tested: ${found}`)

/** A server as it lies in the registry, started as its readme says. */
function published(
  slug: string,
  { folder: own, args = [], env = {} }: { folder: string; args?: string[]; env?: Record<string, string> },
): McpServerConfig {
  const folder = dirname(require.resolve(`@modelcontextprotocol/server-${slug}/package.json`))
  const script = join(folder, 'dist/index.js')
  const program = confining.suggestFolders(process.execPath, [script])
  const sandbox = { folders: [...program, { path: own, access: 'write' as const }], network: 'off' as const }
  return {
    slug,
    transport: { type: 'stdio', command: process.execPath, args: [script, ...args], env, sandbox },
  }
}

describe.each([
  ['confined', confining],
  ['unconfined', UNCONFINED],
])('published MCP servers, %s, through a whole turn', { timeout: 60_000 }, (name, sandbox) => {
  let folder: string
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'capstan-published-')))
    await writeFile(join(folder, 'note.txt'), 'buy milk')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.skipIf(name === 'confined' && state !== 'works')(
    'are connected mid-turn and used by a sub-agent, while one changes its list',
    async () => {
      const memoryFile = join(folder, 'memory.jsonl')
      const store = createMemoryStore()
      const connector = createMcpConnector({
        servers: [
          published('everything', { folder }),
          published('filesystem', { folder, args: [folder] }),
          published('memory', { folder, env: { MEMORY_FILE_PATH: memoryFile } }),
        ],
        sandbox,
        vault: store.connections.vault,
      })
      const integrations = createIntegrations({ connectors: [connector], store: store.connections })
      const { connections } = integrations
      const seen: string[] = []
      const announced = Promise.withResolvers<void>()
      connector.onChange(({ toolkit }) => {
        seen.push(`change of ${toolkit}`)
        announced.resolve()
      })
      const wait = defineTool({
        name: 'wait_for_settings',
        description: 'Waits until the user has set things up.',
        input: { type: 'object', properties: {} },
        effect: 'read',
        async run() {
          for (const toolkit of ['everything', 'filesystem', 'memory']) {
            const { id } = (await connections.begin(VISITOR.userId, toolkit))!
            const step = await connections.signIn(id, VISITOR)
            if (step.type !== 'settled' || step.connection.status !== 'active')
              throw new Error(JSON.stringify(step))
          }
          await announced.promise
          return 'All set up.'
        },
      })
      const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }]
      const model = new ScriptedModel(
        calls('wait_for_settings'),
        calls(DELEGATE, { toolkit: 'everything', prompt: 'Echo "hello there".' }),
        calls('echo', { message: 'hello there' }),
        says('It said hello there.'),
        calls(DELEGATE, { toolkit: 'filesystem', prompt: 'Read the text file note.txt.' }),
        calls('read_text_file', { path: join(folder, 'note.txt') }),
        says('It says: buy milk.'),
        calls(DELEGATE, { toolkit: 'memory', prompt: 'Create the entity Ada, who likes tea.' }),
        calls('create_entities', { entities }),
        says('Remembered.'),
        says('All done.'),
      )
      const events: TurnEvent[] = []
      const threads = createThreads({
        store,
        bus: integrations.bus,
        agent: {
          model,
          origin: 'web',
          instructions: 'You lead.',
          safety: ALLOW_ALL,
          ...integrations.forUser(VISITOR.userId, [wait]),
        },
        onEvent(event) {
          events.push(event)
          if (event.type === 'turn-start' || event.type === 'turn-end') seen.push(event.type)
        },
      })
      try {
        const { id } = await threads.create()
        const outcome = await (
          await threads.open(id)
        ).send('Say hello there, read my note, and create an entity: Ada likes tea.')
        expect(outcome).toMatchObject({ type: 'done', text: 'All done.' })

        const results = events.filter((event) => event.type === 'tool-end')
        expect(results.filter(({ failure }) => failure)).toEqual([])
        const said = (n: number) => textOf(model.request(n).messages.at(-1)!)
        expect(said(3)).toContain('hello there')
        expect(said(6)).toContain('buy milk')
        expect(await readFile(memoryFile, 'utf8')).toContain('likes tea')

        // It adds tools once it knows what its client can do, and says so; they are there for the next delegation.
        expect(seen[0]).toBe('turn-start')
        expect(seen.at(-1)).toBe('turn-end')
        expect(seen.slice(1, -1)).toContain('change of everything')
        expect(namesIn(model.request(2))).toEqual(expect.arrayContaining(['echo', 'trigger-url-elicitation']))

        const lead = Array.from({ length: model.requests }, (_, n) => model.request(n)).filter(({ system }) =>
          system.includes('You lead.'),
        )
        const notices = lead
          .at(-1)!
          .messages.filter(({ role }) => role === 'notice')
          .map(textOf)
        expect(notices.filter((text) => text.includes('is connected now'))).toHaveLength(3)
        expect(new Set(lead.map(({ system, tools }) => system + JSON.stringify(tools))).size).toBe(1)
      } finally {
        await threads.stop()
        await integrations.close()
      }
    },
  )
})

const namesIn = ({ tools }: ModelRequest): readonly string[] => tools.map(({ name }) => name)
