// A program that awaits one turn with an MCP server that stops answering. Prints how the turn ended.
import { createThreads } from '@capstan/harness'
import { UNCONFINED } from '@capstan/harness/sandbox'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'
import { createMcpConnector } from '@capstan/connectors'

const [kind, address = ''] = process.argv.slice(2)
const store = createMemoryStore()
const transport =
  kind === 'http'
    ? { type: 'http' as const, url: address }
    : { type: 'stdio' as const, command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'] }
const connector = createMcpConnector({
  servers: [{ slug: 'post', name: 'Post', transport }],
  vault: store.connections.vault,
  sandbox: UNCONFINED,
  openTimeoutMs: 300,
})
const apps = createIntegrations({ connectors: [connector], store: store.connections })
const visitor = { userId: 'local', browserId: 'program', redirectUri: 'http://127.0.0.1/' }
const connection = await apps.connections.begin('local', 'post')
const signedIn = connection && (await apps.connections.signIn(connection.id, visitor))
console.log(signedIn?.type === 'settled' ? signedIn.connection.status : signedIn?.type)
const agent = {
  model: new ScriptedModel(
    calls('call_action', { toolkit: 'post', action: 'send_letter', arguments: {} }),
    says('Over.'),
  ),
  origin: 'cli' as const,
  ...apps.forUser('local'),
}
const threads = createThreads({ store, bus: apps.bus, agent })
const session = await threads.open((await threads.create()).id)
for await (const event of session.stream('Send it.')) {
  if (event.type === 'tool-end') console.log(event.failure?.class ?? 'ok')
  if (event.type === 'turn-end') console.log(event.outcome.type)
}
await apps.close()
console.log('closed')
