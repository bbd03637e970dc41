// A sub-agent gets a part of its parent's tools, a share of its budget and never more rights. Its events are part of the
// same stream, marked with the call they belong to.
import { createSession, defineTool } from '@capstan/harness'
import type { AgentDefinition } from '@capstan/harness'
import { z } from 'zod'

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks up a fact.',
  input: z.object({ subject: z.string() }),
  effect: 'read',
  run: ({ subject }) => `${subject}: 4,808 m`,
})

const researcher: AgentDefinition = {
  id: 'researcher',
  description: 'Finds facts and says where they come from.',
  instructions: 'You research. Use look_up; never guess.',
  tools: ['look_up'],
  effectCeiling: 'read',
}

const { CAPSTAN_MODEL, OPENAI_API_KEY } = process.env
if (!CAPSTAN_MODEL && !OPENAI_API_KEY) {
  console.error('Set OPENAI_API_KEY, or name another model: CAPSTAN_MODEL=ollama/llama4')
  process.exit(1)
}
const session = createSession({
  model: CAPSTAN_MODEL || 'openai/gpt-5',
  tools: [lookUp],
  agents: [researcher],
  onEvent(event) {
    if (event.type === 'turn-start') console.log(`${'  '.repeat(event.depth)}${event.agent} starts`)
    if (event.type === 'turn-end') console.log(`(${event.outcome.type}) ${event.outcome.text}`)
  },
})
const outcome = await session.send('How high is Mont Blanc? Ask the researcher.')
console.log(`${outcome.type} after ${outcome.iterations} iterations`)
