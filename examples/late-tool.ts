// A tool that appears while a turn is running can be used in the next iteration of that turn. The system prompt and the
// tools sent with the request stay the same.
import { createLiveTools, createSession, defineTool } from '@capstan/harness'
import { z } from 'zod'

const notesSearch = defineTool({
  name: 'notes_search',
  description: 'Finds notes by words.',
  input: z.object({ words: z.string() }),
  effect: 'read',
  run: ({ words }) => `1 note about ${words}: feed it every morning`,
})

const connectNotes = defineTool({
  name: 'connect_notes',
  description: 'Connects the Notes app.',
  input: { type: 'object' },
  run() {
    tools.add(notesSearch)
    return 'Notes is connected.'
  },
})

const tools = createLiveTools([connectNotes])
const { CAPSTAN_MODEL, OPENAI_API_KEY } = process.env
if (!CAPSTAN_MODEL && !OPENAI_API_KEY) {
  console.error('Set OPENAI_API_KEY, or name another model: CAPSTAN_MODEL=ollama/llama4')
  process.exit(1)
}
const session = createSession({
  model: CAPSTAN_MODEL || 'openai/gpt-5',
  tools,
  safety: { mode: 'full' }, // this example asks nobody; by default a write needs an approval
  onEvent(event) {
    if (event.type === 'notice-add') console.log(`(notice) ${event.text.split(':')[0]}`)
    if (event.type === 'tool-end') console.log(`(${event.tool}) ${event.output}`)
    if (event.type === 'prefix-break') console.log(`(prefix broken: ${event.field})`)
  },
})
const outcome = await session.send('Connect Notes and find what I wrote about sourdough.')
console.log(outcome.text)
