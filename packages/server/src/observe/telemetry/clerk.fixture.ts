import { defineTool } from '@capstan/harness'

/** A sub-agent with one tool. */
export const CLERK = { id: 'clerk', description: 'Files things.', instructions: 'You file things.' }

export const look = defineTool({
  name: 'look',
  description: 'Looks around.',
  effect: 'read',
  input: { type: 'object' },
  run: () => 'a drawer',
})
