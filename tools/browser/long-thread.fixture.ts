import type { ModelPart, ModelRequest } from '@capstan/harness'
import { fromIterable } from '@capstan/harness'
import { NO_USAGE } from '@capstan/protocol'
import { createAssistant } from '@capstan/server'

export interface LongThread {
  readonly threadId: string
  readonly messages: number
  readonly calls: number
}

const TURNS = 1000
/** Every second turn looks at the clock first. */
const CALL_EVERY = 2

/** Writes a conversation of a thousand turns into a data folder, through the harness, as it would have come about. */
export async function writeLongThread(folder: string): Promise<LongThread> {
  const assistant = await createAssistant({
    folder,
    env: { OLLAMA_HOST: '127.0.0.1:9' },
    onProblem: (problem) => {
      throw problem
    },
    model: {
      id: 'scripted/long',
      abilities: { tools: true, images: false, files: [] },
      stream: fromIterable(answer),
    },
  })
  try {
    const threads = assistant.threadsOf('local')
    const { id } = await threads.create()
    const session = await threads.open(id)
    for (let turn = 0; turn < TURNS; turn++) await session.send(`Question ${turn + 1}: when is high tide?`)
    return { threadId: id, messages: 2 * TURNS, calls: TURNS / CALL_EVERY }
  } finally {
    await assistant.stop({ graceMs: 0 })
  }
}

async function* answer({ messages }: ModelRequest): AsyncGenerator<ModelPart> {
  const last = messages.at(-1)
  const questions = messages.filter(({ role }) => role === 'user').length
  const isCall = last?.role === 'user' && questions % CALL_EVERY === 0
  if (isCall) yield { type: 'call', id: `call-${messages.length}`, tool: 'clock', argumentsText: '{}' }
  else
    yield {
      type: 'text',
      delta: `At ${questions % 24}:30, give or take.\n\n- pier ${questions}\n- *bring a torch*`,
    }
  const usage = { ...NO_USAGE, inputTokens: 100, outputTokens: 20 }
  yield { type: 'finish', reason: isCall ? 'tool-calls' : 'stop', usage }
}
