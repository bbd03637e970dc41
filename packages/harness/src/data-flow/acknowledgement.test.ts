import { expect, it } from 'vitest'
import { DataFlow } from './data-flow.ts'
import type { FlowTool } from './flow-types.ts'

const app: FlowTool = { name: 'sync', effect: 'read', returns: ['private', 'untrusted'], destinations: [] }
const wipe: FlowTool = { name: 'wipe_disk', effect: 'write', returns: [], destinations: [] }

/** What a call that the user did not name is answered after an app said these texts. */
function judgeAfter(...texts: readonly string[]): string {
  const flow = new DataFlow()
  flow.userSaid('Bring everything up to date.')
  for (const text of texts) flow.returned(app, {}, text)
  return flow.judge(wipe, { all: 'yes' }).type
}

it('an app that only ever answers the same word asks for no act', () => {
  expect(judgeAfter('saved')).toBe('allow')
  expect(judgeAfter('Saved.', 'saved', '')).toBe('allow')
})

it.each([
  ['the word names the act', ['Wipe']],
  ['it answers two words', ['wipe it']],
  ['it answers one word after the other', ['please', 'wipe']],
  ['words are glued together', ['WipeTheDisk']],
  ['a word is too long to be one', ['abschliessendzurücksetzen']],
  ['a script has no spaces', ['消去']],
])('asks when %s', (_, texts) => {
  expect(judgeAfter(...texts)).toBe('ask')
})
