import { AgentHarness, BACKGROUND_CONTEXT } from '@earendil-works/pi-agent-core'
import type { AgentHarnessTool, Session } from '@earendil-works/pi-agent-core'
import { createModels, createProvider } from '@earendil-works/pi-ai'
import type { Models, ProviderStreams } from '@earendil-works/pi-ai'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'
import type { Tape } from '../tape.ts'
import { MODEL, PARAMETERS, readRequest, streamReply, textIn } from './pi.ts'

const LANE = 'main'

/** pi's harness, which is its agent with a session that is written as it goes; a new session each time. */
export function piHarnessOn(createSession: () => Promise<Session>): Subject {
  return { open: async (stage) => open(stage, await createSession()) }
}

async function open({ instructions, tools, tape, onDelta }: Stage, session: Session): Promise<Conversation> {
  const { harness } = await AgentHarness.create(
    {
      session,
      models: createFakeModels(tape),
      model: MODEL,
      systemPrompt: instructions,
      tools: tools.map(toHarnessTool),
    },
    BACKGROUND_CONTEXT,
  )
  const lane = await harness.lane(LANE, { createAt: null }, BACKGROUND_CONTEXT)
  if (onDelta) {
    harness.events.on('message_update', ({ event }) => {
      if (event.type === 'text_delta') onDelta(event.delta)
    })
  }
  return {
    addTool: () => {
      throw new Error('the prefix is measured without a session')
    },
    async send(text) {
      const result = await lane.prompt(text, undefined, BACKGROUND_CONTEXT)
      if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`)
      const last = await lane.findEntry({ order: 'newestFirst' }, BACKGROUND_CONTEXT)
      return last?.type === 'message' && last.message.role === 'assistant' ? textIn(last.message.content) : ''
    },
    async close() {
      await harness.close(BACKGROUND_CONTEXT)
      await session.close(BACKGROUND_CONTEXT)
    },
  }
}

function createFakeModels(tape: Tape): Models {
  const stream: ProviderStreams['streamSimple'] = (_model, context) =>
    streamReply(tape.nextReply(context, readRequest), { startsCalls: true })
  const models = createModels()
  models.setProvider(
    createProvider({
      id: MODEL.provider,
      auth: { apiKey: { name: 'none', resolve: () => Promise.resolve({ auth: {} }) } },
      models: [MODEL],
      api: { stream, streamSimple: stream },
    }),
  )
  return models
}

function toHarnessTool(tool: BenchTool): AgentHarnessTool<undefined, typeof PARAMETERS> {
  return {
    name: tool.name,
    label: tool.name,
    description: tool.description,
    parameters: PARAMETERS,
    execute: async (_callId, args) => ({
      content: [{ type: 'text', text: await tool.run(args) }],
      details: undefined,
    }),
  }
}
