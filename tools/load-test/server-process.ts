import { setTimeout as pause } from 'node:timers/promises'
import type { ModelPart, ModelRequest } from '@capstan/harness'
import { fromIterable } from '@capstan/harness'
import { NO_USAGE } from '@capstan/protocol'
import { createAssistant, openAuth, startServer } from '@capstan/server'

// The whole assistant in a process of its own, on a model that talks as fast as a real one would. Parent and child speak
// by messages: `{ url, tickets }` when it is up, then memory whenever the parent asks.

const DELTAS = 30
const BETWEEN_DELTAS_MS = 40
/** The measure is of the server, not of its manners. */
const UNLIMITED = { burst: 1e6, perSecond: 1e6 }

async function* talk(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
  const hasLooked = request.messages.at(-1)?.role === 'tool'
  for (let delta = 0; delta < (hasLooked ? DELTAS : 3); delta++) {
    await pause(BETWEEN_DELTAS_MS, undefined, { signal })
    yield { type: 'text', delta: `word ${delta} of a reply ` }
  }
  if (!hasLooked)
    yield { type: 'call', id: `call-${request.messages.length}`, tool: 'clock', argumentsText: '{}' }
  yield {
    type: 'finish',
    reason: hasLooked ? 'stop' : 'tool-calls',
    usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 30 },
  }
}

const [folder = '', users = '1'] = process.argv.slice(2)
const assistant = await createAssistant({
  folder,
  env: {},
  onProblem: (problem) => process.stderr.write(`${String(problem)}\n`),
  model: {
    id: 'scripted/talker',
    abilities: { tools: true, images: false, files: [] },
    stream: fromIterable(talk),
  },
})
const auth = openAuth({ folder })
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
process.on('message', (asked) => {
  if (asked === 'memory') {
    global.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ rss, heapUsed })
  } else void server.stop({ graceMs: 0 }).then(() => process.exit(0))
})
const tickets = Array.from({ length: Number(users) }, (_, n) => auth.mintTicket(`user-${n}`))
process.send?.({ url: server.url, tickets })
