// A program that awaits one turn while a call of its connector never settles. Prints how the turn ended.
import { createThreads, succeed } from '@capstan/harness'
import type { Action, Connector } from '@capstan/harness/connectors'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'

const [hung, way] = process.argv[2]?.split(' ') ?? []

/** Never settles for the call that the program was asked to hang in. */
const answer = <Answer>(name: string, value: Answer): Promise<Answer> =>
  name === hung ? new Promise(() => {}) : Promise.resolve(value)

const send: Action = {
  name: 'send_letter',
  description: 'Sends a letter.',
  input: { type: 'object', properties: {} },
  effect: 'write',
  digest: 'letter',
}

const post: Connector = {
  id: 'post',
  toolkits: () =>
    answer('toolkits', [
      { slug: 'post', name: 'Post', description: 'Letters.', connector: 'post', auth: 'none' },
    ]),
  beginSignIn: () => answer('beginSignIn', { type: 'settled', status: 'active', label: 'Ada' } as const),
  finishSignIn: async () => ({ status: 'active', label: 'Ada' }),
  check: () => answer('check', { status: 'pending' as const }),
  adopt: () => answer('adopt', undefined),
  actions: () => answer('actions', [send]),
  execute: () => answer('execute', succeed('sent')),
  disconnect: () => answer('disconnect', undefined),
  onChange: () => () => {},
  close: () => answer('close', undefined),
}

const store = createMemoryStore()
const apps = createIntegrations({ connectors: [post], store: store.connections, answerTimeoutMs: 100 })
const visitor = { userId: 'local', browserId: 'program', redirectUri: 'http://127.0.0.1/' }
const connection = await apps.connections.begin('local', 'post')
if (hung !== 'check' && hung !== 'adopt' && connection)
  console.log((await apps.connections.signIn(connection.id, visitor)).type)
const model = new ScriptedModel(
  way === 'delegated'
    ? calls('delegate_to_integrations_agent', { toolkit: 'post', prompt: 'Send the letter.' })
    : calls('call_action', { toolkit: 'post', action: 'send_letter', arguments: {} }),
  says('Over.'),
)
const agent = {
  model,
  origin: 'cli' as const,
  limits: { tools: { timeoutMs: 1_000, graceMs: 10 } },
  safety: { mode: 'full' as const },
  ...apps.forUser('local'),
}
const threads = createThreads({ store, bus: apps.bus, agent })
const session = await threads.open((await threads.create()).id)
for await (const event of session.stream('Send it.')) {
  if (event.type === 'tool-end') console.log(event.failure?.class ?? 'ok')
  if (event.type === 'turn-end') console.log(event.outcome.type)
}
if (hung === 'disconnect' && connection)
  console.log(await apps.connections.disconnect('local', connection.id))
await apps.close()
console.log('closed')
