import { createSession } from '@capstan/harness'
import { createMemoryUserMemory } from '@capstan/harness/stores'
import { createMemoryTools } from '@capstan/harness/tools'
import { expect, it } from 'vitest'
import { createDemoModel } from './demo-model.ts'
import { FAST } from './pace.ts'

it('the demo model proposes a fact, which counts only when it is accepted', async () => {
  const memory = createMemoryUserMemory()
  const session = createSession({ model: createDemoModel(FAST), tools: createMemoryTools(memory, 'ana') })
  const { text } = await session.send('Remember that I prefer short answers')
  expect(text).toMatch(/^It is proposed\. It counts when you accept it/)
  expect(await memory.facts.list('ana')).toMatchObject([
    { text: 'I prefer short answers', status: 'proposed' },
  ])
})

it('the demo model offers to propose a fact only where it can', async () => {
  const offer = 'Remember that I prefer short answers'
  const ask = (tools: ReturnType<typeof createMemoryTools>) =>
    createSession({ model: createDemoModel(FAST), tools }).send('Hello')
  expect((await ask(createMemoryTools(createMemoryUserMemory(), 'ana'))).text).toContain(offer)
  expect((await ask([])).text).not.toContain(offer)
})
