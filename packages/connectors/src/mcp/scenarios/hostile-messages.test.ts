import { createSession } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryConnectionStore } from '@capstan/harness/stores'
import {
  calls,
  collectGarbage,
  longestBlockMs,
  recordEvents,
  says,
  ScriptedModel,
} from '@capstan/harness/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMcpConnector } from '../mcp-connector.ts'
import type { HostileServer } from './hostile-messages.fixture.ts'
import { LISTS, RESULTS, startHostileServer } from './hostile-messages.fixture.ts'

const USER = 'local'
const MAX_BLOCK_MS = 50
const MAX_GROWTH_BYTES = 64 * 1024 * 1024
/** A busy machine makes a process slow for a while: what is slow by itself is slow every time. */
const ATTEMPTS = 5

/** What cannot be read in time fails for this reason. Everything else is read. */
const FAILS: Readonly<Record<string, string>> = {
  get_blocks: 'too_large',
  get_lists: 'too_large',
  get_fields: 'too_large',
  get_depth: 'too_large',
  // Actions that the service changed count as acts, so it is not known what they did.
  get_unknown_blocks: 'interrupted',
  get_audience: 'interrupted',
  get_error: 'unknown',
}

const memory = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe(
  'a server that sends hostile messages holds neither the event loop nor the memory',
  { timeout: 60_000 },
  () => {
    let server: HostileServer
    let close = async (): Promise<void> => {}

    beforeAll(async () => {
      server = await startHostileServer()
      server.set({ list: 'results', isStream: false })
      for (let warm = 0; warm < 3; warm++) await turn('get_some_lists') // what is loaded at the first call does not count
    })
    afterEach(() => close())
    afterAll(() => server.stop())

    /** One turn that lists the actions of the app and calls one of them. */
    async function turn(action: string) {
      await close()
      const store = createMemoryConnectionStore()
      const connector = createMcpConnector({
        servers: [
          { slug: 'acme', auth: 'none', isTrusted: true, transport: { type: 'http', url: server.url } },
        ],
        vault: store.vault,
      })
      const integrations = createIntegrations({ connectors: [connector], store })
      close = () => integrations.close()
      const connection = (await integrations.connections.begin(USER, 'acme'))!
      await integrations.connections.signIn(connection.id, {
        userId: USER,
        browserId: 'browser',
        redirectUri: 'http://127.0.0.1/callback',
      })
      await integrations.connections.setScopes(USER, 'acme', { read: true, write: true, admin: true })
      const events = recordEvents()
      const model = new ScriptedModel(
        calls('delegate_to_integrations_agent', { toolkit: 'acme', prompt: 'Go.' }),
        calls(action),
        says('ok'),
        says('Done.'),
      )
      await createSession({
        model,
        safety: { mode: 'full' },
        onEvent: events.onEvent,
        ...integrations.forUser(USER),
      }).send('go')
      return events.of('tool-end').find(({ tool }) => tool === action)
    }

    async function measure(action: string) {
      let blockMs = Infinity
      let end: Awaited<ReturnType<typeof turn>>
      const before = memory()
      for (let attempt = 0; attempt < ATTEMPTS && blockMs > MAX_BLOCK_MS; attempt++) {
        blockMs = Math.min(blockMs, await longestBlockMs(async () => void (end = await turn(action))))
      }
      const growth = memory() - before
      expect(blockMs).toBeLessThan(MAX_BLOCK_MS)
      expect(growth).toBeLessThan(MAX_GROWTH_BYTES)
      return end
    }

    describe.each([false, true])('as an event stream: %s', (isStream) => {
      it.each(Object.keys(RESULTS))('with the result of %s', async (action) => {
        server.set({ list: 'results', isStream })
        const end = await measure(action)
        expect(end?.failure?.class).toBe(FAILS[action])
      })

      it.each(Object.keys(LISTS))('with the list "%s"', async (list) => {
        server.set({ list, isStream })
        await measure('get_0')
      })
    })
  },
)
