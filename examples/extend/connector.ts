// A connector reaches apps. This one offers a bicycle rental with one account and no sign-in page.
import { createHash } from 'node:crypto'
import { createThreads, fail, succeed } from '@capstan/harness'
import type { Action, Connector } from '@capstan/harness/connectors'
import { canonicalJson } from '@capstan/harness/connectors'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'

const bikes = new Map([['Harbour', 4]])

const countBikes: Action = describeAction({
  name: 'count_bikes',
  description: 'Counts the free bicycles at a station.',
  input: { type: 'object', properties: { station: { type: 'string' } }, required: ['station'] },
  effect: 'read',
})

/** The digest changes whenever the app describes the action differently. */
function describeAction(action: Omit<Action, 'digest'>): Action {
  return { ...action, digest: createHash('sha256').update(canonicalJson(action)).digest('hex') }
}

const rental: Connector = {
  id: 'rental',
  toolkits: async () => [
    { slug: 'bikes', name: 'Bikes', description: 'Bicycles to rent.', connector: 'rental', auth: 'none' },
  ],
  beginSignIn: async () => ({ type: 'settled', status: 'active', label: 'Ada' }),
  finishSignIn: async () => ({ status: 'active', label: 'Ada' }),
  check: async ({ status }) => ({ status: status === 'pending' ? 'pending' : 'active' }),
  actions: async () => [countBikes],
  async execute(_connection, action, args) {
    if (action !== countBikes.name)
      return fail(`There is no action ${action}.`, { errorCode: 'unknown_tool' })
    const station = args['station'] as string // the harness has checked the arguments
    const count = bikes.get(station)
    if (count === undefined) return fail(`There is no station ${station}.`, { httpStatus: 404 })
    return succeed(`${station}: ${count} bicycles`)
  },
  disconnect: async () => {},
  onChange: () => () => {}, // the list of actions never changes
  close: async () => {},
}

const store = createMemoryStore()
const apps = createIntegrations({ connectors: [rental], store: store.connections })
const model = new ScriptedModel(
  calls('connect_app', { toolkit: 'bikes' }),
  calls('delegate_to_integrations_agent', { toolkit: 'bikes', prompt: 'Count the bicycles at Harbour.' }),
  calls('count_bikes', { station: 'Harbour' }),
  says('There are 4.'),
  says('There are 4 bicycles at Harbour.'),
)
const agent = { model, origin: 'web' as const, ...apps.forUser('local') }
const threads = createThreads({ store, bus: apps.bus, agent })
const session = await threads.open((await threads.create()).id)
for await (const event of session.stream('Are there bicycles at Harbour?')) {
  if (event.type === 'connection-request') console.log(`card: Connect ${event.name}`)
  if (event.type === 'turn-park') {
    // The person presses Connect. As soon as the connector says that the account is active, the turn goes on.
    const visitor = { userId: 'local', browserId: 'browser_1', redirectUri: 'http://127.0.0.1/callback' }
    for (const { kind, id } of event.waitsFor)
      if (kind === 'sign-in') await apps.connections.signIn(id, visitor)
  }
  if (event.type === 'tool-end') console.log(`${event.tool}: ${event.output}`)
  if (event.type === 'turn-end') console.log(`${event.outcome.type}: ${event.outcome.text}`)
}
await apps.close()
