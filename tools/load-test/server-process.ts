import { setTimeout as pause } from 'node:timers/promises'
import type { ModelPart, ModelRequest } from '@capstan/harness/models'
import { fromIterable } from '@capstan/harness/models'
import { NO_USAGE } from '@capstan/protocol'
import { createAssistant, openAuth, startServer } from '@capstan/server'
import type { ServerSettings } from './start-servers.ts'

// The whole assistant in its own process, with a model that streams as fast as a real one. It sends `{ url, tickets }`
// to its parent when it is up, and its memory use whenever the parent asks.

const DELTAS = 30
const BETWEEN_DELTAS_MS = 40
/** Rate limits are off, because the test measures the server. */
const UNLIMITED = { burst: 1e6, perSecond: 1e6 }

async function* streamReply(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
  const hasResult = request.messages.at(-1)?.role === 'tool'
  for (let delta = 0; delta < (hasResult ? DELTAS : 3); delta++) {
    await pause(BETWEEN_DELTAS_MS, undefined, { signal })
    yield { type: 'text', delta: `word ${delta} of a reply ` }
  }
  if (!hasResult)
    yield { type: 'call', id: `call-${request.messages.length}`, tool: 'clock', argumentsText: '{}' }
  yield {
    type: 'finish',
    reason: hasResult ? 'stop' : 'tool-calls',
    usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 30 },
  }
}

const { folder, users, database } = JSON.parse(process.argv[2] ?? '') as ServerSettings
const assistant = await createAssistant({
  folder,
  ...(database && { database }),
  env: { CAPSTAN_SECRET_KEY: process.env['CAPSTAN_SECRET_KEY'] },
  onProblem: (problem) => process.stderr.write(`${String(problem)}\n`),
  model: {
    id: 'scripted/talker',
    abilities: { tools: true, images: false, files: [] },
    stream: fromIterable(streamReply),
  },
})
const auth = openAuth({ folder, ...(assistant.shared && { shared: assistant.shared }) })
const server = await startServer({
  assistant,
  auth,
  port: 0,
  limits: {
    requests: UNLIMITED,
    messages: UNLIMITED,
    strangers: UNLIMITED,
    openings: UNLIMITED,
    streamsPerUser: 1_000,
  },
})
process.on('message', (request) => {
  if (request === 'memory') {
    global.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ rss, heapUsed })
  } else void server.stop({ graceMs: 0 }).then(() => process.exit(0))
})
const tickets = Array.from({ length: users }, (_, n) => auth.mintTicket(`user-${n}`))
process.send?.({ url: server.url, tickets })
