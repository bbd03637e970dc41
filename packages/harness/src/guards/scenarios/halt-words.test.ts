import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { ALLOW_ALL, calls, ScriptedModel, stubTool } from '../../testing/index.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import { replayTrace } from '../replay-trace.ts'
import { did, silent, times } from '../traces/trace.ts'

async function haltOf(tool: Tool): Promise<string> {
  const model = new ScriptedModel(...times(6, () => calls(tool.name, { item: 7 })))
  const session = createSession({ model, tools: [tool], origin: 'web', safety: ALLOW_ALL })
  const outcome = await session.send('go')
  expect(outcome).toMatchObject({ type: 'halted' })
  return outcome.text
}

describe('the answer after a halt', () => {
  it('says "the same answer" only when it was the same', () => {
    const same = replayTrace({ id: 'a', steps: times(3, () => silent(did('tide', { port: 'Oslo' }, 'low'))) })
    expect(same.answer).toContain('"tide" gave the same answer 3 times in a row, and nothing new came of it')
    const order = (n: number) => silent(did('order_place', { item: 'twine' }, `order placed, id ${8810 + n}`))
    const { answer } = replayTrace({ id: 'b', steps: times(3, order) })
    expect(answer).toContain('"order_place" was called 3 times in a row with the same details.')
    expect(answer).not.toMatch(/same answer|nothing new/)
  })

  it('quotes the words of a tool', async () => {
    const text = await haltOf(stubTool('open', () => fail('there is no door 7', { httpStatus: 404 })))
    expect(text).toContain('The last reason: there is no door 7.')
  })

  it('quotes nothing that was written for the model', async () => {
    const done = await haltOf(stubTool('press', () => 'pressed', { effect: 'write', returns: [] }))
    expect(done).toContain(
      'The last reason: The same was already done in this turn, so it was not done again.',
    )
    const misfit = await haltOf(
      stubTool('open', () => 'open', { input: { type: 'object', required: ['door'] } }),
    )
    expect(misfit).toContain('The last reason: The details of the request were not accepted.')
    const own = await haltOf(
      stubTool('notes', () => fail('Call connect_app first; tell the user.', { errorCode: 'not_connected' })),
    )
    expect(own).toContain('The last reason: This app is not connected yet.')
  })
})
