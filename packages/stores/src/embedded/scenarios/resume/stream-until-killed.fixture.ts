import { createThreads, defineTool } from '@capstan/harness'
import { fromIterable } from '@capstan/harness/models'
import { openEmbeddedStore } from '../../open-store.ts'
import { THREAD } from '../../../fixtures/lead-and-helpers.fixture.ts'

// Runs as its own process. Its model streams a few words, starts a call and never ends. Prints every event as a line.

const store = openEmbeddedStore({ folder: process.argv[2]! })
const threads = createThreads({
  store,
  onEvent: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
  agent: {
    origin: 'web',
    tools: [
      defineTool({ name: 'send', description: 'Sends.', input: { type: 'object' }, run: () => 'sent' }),
    ],
    safety: { mode: 'full' },
    model: {
      id: 'fixture/streamer',
      abilities: { tools: true, images: false, files: [] },
      stream: fromIterable(async function* () {
        yield { type: 'text', delta: 'Once upon a time' }
        await new Promise<void>((resolve) => void setTimeout(resolve, 60))
        yield { type: 'text', delta: ', there was a tide' }
        yield { type: 'block-end' }
        yield { type: 'call-start', id: 'call_1', tool: 'send' }
        yield { type: 'call-delta', id: 'call_1', delta: '{"to":"a' }
        await new Promise<void>((resolve) => void setTimeout(resolve, 600_000))
      }),
    },
  },
})
await threads.create({ id: THREAD })
const session = await threads.open(THREAD)
void session.send('Tell me a story, and send it.')
