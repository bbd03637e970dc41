import { createSession } from '@capstan/harness'
import { createMemoryUserMemory } from '@capstan/harness/stores'
import { createMemoryTools } from '@capstan/harness/tools'
import { expect, it } from 'vitest'
import { createDemoModel } from './demo-model.ts'
import { FAST } from './pace.ts'

it('the demo model answers from memory, cites the item, and does not know what was forgotten', async () => {
  const memory = createMemoryUserMemory()
  await memory.put('ana', [
    {
      id: 'n1',
      app: 'notes',
      externalId: 'n1',
      at: 0,
      seenAt: 0,
      title: 'Boathouse',
      text: 'The spare key hangs\nbehind the blue door.',
      link: 'https://notes.example/n1',
      people: [],
    },
    {
      id: 'n2',
      app: 'notes',
      externalId: 'n2',
      at: 0,
      seenAt: 0,
      title: 'Tea',
      text: 'Three minutes.',
      people: [],
    },
  ])
  const ask = () =>
    createSession({ model: createDemoModel(FAST), tools: createMemoryTools(memory, 'ana') }).send(
      'What does my memory say about the spare key in the boathouse?',
    )
  expect((await ask()).text).toBe(
    'Your memory says:\n\n> The spare key hangs\n> behind the blue door.\n\nSource: [Boathouse](https://notes.example/n1)',
  )
  await memory.remove('ana', ['n1'])
  expect((await ask()).text).toMatch(/^I do not know/)
})
