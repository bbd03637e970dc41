// A sub-agent is data: its instructions, its part of the tools and how far it may go. It never has more rights than the
// agent that delegates to it.
import type { AgentDefinition } from '@capstan/harness'
import { createSession, defineTool, runStateless, runSubAgent } from '@capstan/harness'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'
import { z } from 'zod'

const findMail = defineTool({
  name: 'find_mail',
  description: 'Finds mail by words.',
  input: z.object({ words: z.string() }),
  effect: 'read',
  run: ({ words }) => `1 mail about ${words}: the ferry leaves at 9:15`,
})
const deleteMail = defineTool({
  name: 'delete_mail',
  description: 'Deletes mail.',
  input: z.object({ words: z.string() }),
  effect: 'admin',
  run: () => 'deleted',
})

const reader: AgentDefinition = {
  id: 'mail_reader',
  description: 'Reads mail and answers a question about it.',
  instructions: 'You read mail. Use find_mail; quote what you found.',
  tools: ['find_mail'],
  effectCeiling: 'read',
  maxIterations: 4,
}

// 1. The model delegates: `agents` gives it the tool delegate_to_mail_reader.
const asking = new ScriptedModel(
  calls('delegate_to_mail_reader', { prompt: 'When does the ferry leave?' }),
  calls('delete_mail', { words: 'ferry' }), // the sub-agent does not have this tool
  calls('find_mail', { words: 'ferry' }),
  says('The mail says 9:15.'),
  says('The ferry leaves at 9:15.'),
)
const session = createSession({
  model: asking,
  tools: [findMail, deleteMail],
  agents: [reader],
  safety: { mode: 'full' },
})
for await (const event of session.stream('When does the ferry leave? Ask the mail reader.')) {
  if (event.type === 'turn-start') console.log(`${event.agent} starts at depth ${event.depth}`)
  if (event.type === 'tool-end')
    console.log(`${event.tool}: ${event.ok ? event.output : event.failure?.class}`)
  if (event.type === 'turn-end') console.log(`${event.outcome.type}: ${event.outcome.text}`)
}

// 2. A tool delegates: the sub-agent works below the call of the tool.
const planTrip = defineTool({
  name: 'plan_trip',
  description: 'Plans a trip from the mail.',
  input: z.object({ place: z.string() }),
  effect: 'read', // what the sub-agent does is checked call by call
  async run({ place }, context) {
    const { status, text } = await runSubAgent(reader, { prompt: `When to ${place}?` }, { parent: context })
    return status === 'completed' ? `Plan: ${text}` : `No plan: ${text}`
  },
})
const planning = new ScriptedModel(
  calls('plan_trip', { place: 'Moss' }),
  calls('find_mail', { words: 'Moss' }),
  says('9:15 from the pier.'),
  says('Be at the pier at 9:15.'),
)
const outcome = await runStateless({
  model: planning,
  tools: [findMail, planTrip],
  input: 'Plan my trip to Moss.',
})
console.log(outcome.text)

// 3. A program runs it by itself.
const alone = new ScriptedModel(calls('find_mail', { words: 'pier' }), says('The pier is open.'))
const result = await runSubAgent(reader, { prompt: 'Is the pier open?' }, { model: alone, tools: [findMail] })
console.log(`${result.status}: ${result.text}`)
