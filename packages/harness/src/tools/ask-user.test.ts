import { expect, it } from 'vitest'
import { createSession } from '../entry-points/session/session.ts'
import { calls, says, ScriptedModel } from '../testing/index.ts'
import { tryTool } from '../testing/try-tool.ts'
import { createAskUserTool } from './ask-user.ts'

it('ask_user ends the turn with the question, and the answer starts the next turn', async () => {
  const model = new ScriptedModel(calls('ask_user', { question: 'Which city?' }), says('Sunny in Lyon.'))
  const session = createSession({ model, tools: [createAskUserTool()] })
  expect(await session.send('How is the weather?')).toMatchObject({
    type: 'needs-input',
    text: 'Which city?',
  })
  expect(await session.send('Lyon')).toMatchObject({ type: 'done', text: 'Sunny in Lyon.' })
})

it('ask_user lists the choices under the question', async () => {
  const outcome = await tryTool(createAskUserTool(), { question: 'Which one?', options: ['red', 'blue'] })
  expect(outcome).toMatchObject({ ok: true, text: 'Which one?\n1. red\n2. blue' })
})

it('ask_user refuses an empty question', async () => {
  expect(await tryTool(createAskUserTool(), { question: '  ' })).toMatchObject({
    ok: false,
    errorCode: 'invalid_arguments',
  })
})
