// A tool that appears while a turn is running is usable at the next step of that turn, and neither the system
// prompt nor the tools sent with the request change a byte.
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
const session = createSession({
  model: process.env['CAPSTAN_MODEL'] ?? 'openai/gpt-5',
  tools,
  safety: { mode: 'full' }, // nobody is asked in this example; by default a write needs a yes
  onEvent(event) {
    if (event.type === 'notice-add') console.log(`(notice) ${event.text.split(':')[0]}`)
    if (event.type === 'tool-end') console.log(`(${event.tool}) ${event.output}`)
    if (event.type === 'prefix-break') console.log(`(prefix broken: ${event.field})`)
  },
})
const outcome = await session.send('Connect Notes and find what I wrote about sourdough.')
console.log(outcome.text)
