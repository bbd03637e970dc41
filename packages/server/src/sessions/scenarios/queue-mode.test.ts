import { calls, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import { expect, it } from 'vitest'
import { openWorld } from '../assistant.fixture.ts'

it('the queue mode of the settings holds in threads without one of their own, from the next message on', async () => {
  const working = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<string>()
  const work = stubTool('work', () => (working.resolve(), gate.promise))
  const model = new ScriptedModel(calls('work'), says('One.'), says('Two.'))
  const { assistant } = await openWorld({ model, tools: [work] })
  const threads = assistant.threadsOf('local')
  const { id } = await threads.create()
  const session = await threads.open(id)
  await session.submit('Begin.')
  await working.promise
  await assistant.changeSettings('local', { queueMode: 'collect' })
  for (const text of ['Bread', 'Butter']) await session.submit(text, { mode: 'queue' })
  gate.resolve('done')
  await threads.idle()
  expect(model.requests).toBe(3)
  const turns = await assistant.store.runs.list({ userId: 'local', depth: 0 })
  expect(turns.map(({ text }) => text)).toEqual(['Bread\n\nButter', 'Begin.'])
})
