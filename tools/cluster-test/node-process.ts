import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalConnector, defineAction } from '@capstan/connectors'
import { defineTool, textOf } from '@capstan/harness'
import type { ModelRequest } from '@capstan/harness/models'
import { fromIterable } from '@capstan/harness/models'
import { NO_USAGE } from '@capstan/protocol'
import { createAssistant, openAuth, startServer } from '@capstan/server'
import type { NodeMessage, NodeRequest, NodeSettings } from './start-node.ts'
import { LATE, OTHERS } from './start-node.ts'

// One node. Its model calls a tool all the time, and tells the parent at each of its calls whether it knows of the app.

const TICK_MS = 5

const send = (message: NodeMessage): void => void process.send?.(message)

/** What the conversation says last about the app. */
function isKnown({ messages }: ModelRequest): boolean {
  const notices = messages.filter(({ role }) => role === 'notice').map(textOf)
  const last = notices.findLast((text) => text.includes(`"${LATE}"`))
  return last?.includes('is connected now') ?? false
}

const model = {
  id: 'scripted/ticker',
  abilities: { tools: true, images: false, files: [] },
  stream: fromIterable(async function* (request) {
    send({ type: 'model-call', at: Date.now(), isKnown: isKnown(request) })
    const n = request.messages.length
    yield { type: 'call', id: `call-${n}`, tool: 'tick', argumentsText: JSON.stringify({ n }) }
    yield { type: 'finish', reason: 'tool-calls', usage: NO_USAGE }
  }),
}
const tick = defineTool({
  name: 'tick',
  description: 'Waits.',
  input: { type: 'object', properties: { n: { type: 'number' } } },
  effect: 'read',
  async run({ n }) {
    await sleep(TICK_MS)
    return `tick ${n as number}`
  },
})
const look = defineAction({
  name: 'look',
  description: 'Looks.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  run: () => 'seen',
})

const { folder, database } = JSON.parse(process.argv[2] ?? '') as NodeSettings
const toolkits = [LATE, ...OTHERS].map((slug) => ({ slug, name: slug, description: slug, actions: [look] }))
const assistant = await createAssistant({
  folder,
  database,
  env: { CAPSTAN_SECRET_KEY: process.env['CAPSTAN_SECRET_KEY'] },
  model,
  tools: [tick],
  connectors: [createLocalConnector({ toolkits })],
  mode: 'full',
  limits: { maxIterations: 1_000_000 },
  onProblem: (problem) => process.stderr.write(`${String(problem)}\n`),
})
const auth = openAuth({ folder, ...(assistant.shared && { shared: assistant.shared }) })
const server = await startServer({ assistant, auth, port: 0 })
process.on('message', ({ expire: id }: NodeRequest) => {
  // As when a call of this node is refused with 401.
  void assistant.integrations.connections.expire(id, 'The token is no longer good.')
})
process.once('disconnect', () => process.exit(1))
send({ type: 'up', url: server.url, token: auth.token })
