import type { AgentDefinition } from '@capstan/harness'

/** The sub-agent of the demo. It may only read notes. */
export const notesHelper: AgentDefinition = {
  id: 'notes_helper',
  description: 'Looks things up in the notes and puts them together.',
  instructions: 'You answer from the notes alone.',
  tools: ['search_notes', 'read_note'],
  effectCeiling: 'read',
}
