import type { Tool, ToolContext } from '@capstan/harness'
import { defineTool, fail } from '@capstan/harness'
import { createClockTool } from '@capstan/harness/tools'
import type { Pace } from './pace.ts'
import { pause } from './pace.ts'

interface Note {
  readonly title: string
  readonly text: string
}

const NOTES: readonly Note[] = [
  { title: 'Ferry to Sandholm', text: 'Leaves at 18:40 from pier 4. The ticket is in the blue folder.' },
  { title: 'Packing for Sandholm', text: 'Rain jacket, torch, bed linen, tide table, something to read.' },
  { title: 'Sandholm cottage', text: 'The key is in the box on the porch. Ida knows the code.' },
  { title: 'Bread', text: '500 g rye, 400 g water, 10 g salt. Sixteen hours in the cold.' },
]

const createSearchNotes = (notes: readonly Note[]) =>
  defineTool({
    name: 'search_notes',
    description: 'Finds notes that contain a word.',
    input: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
    effect: 'read',
    returns: ['private'],
    destinations: [],
    label: ({ words }) => ({ label: 'Search notes', detail: word(words) }),
    run({ words }) {
      const wanted = word(words).toLowerCase()
      const found = notes.filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(wanted))
      if (found.length === 0) return 'No note contains that.'
      return found.map(({ title, text }) => `${title}: ${text}`).join('\n')
    },
  })

const createReadNote = (notes: readonly Note[]) =>
  defineTool({
    name: 'read_note',
    description: 'Reads one note by its title.',
    input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    effect: 'read',
    returns: ['private'],
    destinations: [],
    label: ({ title }) => ({ label: 'Read note', detail: word(title) }),
    run({ title }) {
      const note = notes.find((candidate) => candidate.title === title)
      return note ? note.text : fail(`There is no note titled "${word(title)}".`, { errorCode: 'ENOENT' })
    },
  })

/** Has a write effect, so it needs an approval. */
const createSaveNote = (notes: Note[]) =>
  defineTool({
    name: 'save_note',
    description: 'Saves a note under a title.',
    input: {
      type: 'object',
      properties: { title: { type: 'string' }, text: { type: 'string' } },
      required: ['title', 'text'],
    },
    effect: 'write',
    returns: [],
    destinations: [],
    label: ({ title }) => ({ label: 'Save note', detail: word(title) }),
    run({ title, text }) {
      notes.push({ title: word(title), text: word(text) })
      return `Saved "${word(title)}" for as long as this demo lasts.`
    },
  })

/** Fails on purpose, like a calendar with an expired sign-in. */
const readCalendar = defineTool({
  name: 'read_calendar',
  description: 'Reads the calendar of a day.',
  input: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  effect: 'read',
  returns: ['private'],
  destinations: [],
  label: ({ day }) => ({ label: 'Read calendar', detail: word(day) }),
  run: () => fail('The calendar answered: 401, the access token has expired.', { httpStatus: 401 }),
})

/** Small working tools over notes in memory. */
export function createDemoTools({ toolMs }: Pace): readonly Tool[] {
  const notes = [...NOTES]
  return [
    slowDown(createClockTool(), toolMs / 2),
    slowDown(createSearchNotes(notes), toolMs),
    slowDown(createReadNote(notes), toolMs / 2),
    slowDown(createSaveNote(notes), toolMs / 2),
    slowDown(readCalendar, toolMs * 1.5),
  ]
}

/** A label is made before the arguments are checked against the schema. */
const word = (value: unknown): string => (typeof value === 'string' ? value : '')

function slowDown(tool: Tool, ms: number): Tool {
  return {
    ...tool,
    async run(args: never, context: ToolContext) {
      await pause(ms, context.signal)
      return tool.run(args, context)
    },
  }
}
