import { createSession } from '@capstan/harness'
import type { DescribedSchema } from '@capstan/harness/seams'
import { calls, createTestClock, recordEvents, says, ScriptedModel } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'

const neverAnswers = (onAsked: () => void) =>
  ({
    '~standard': {
      version: 1,
      vendor: 'test',
      validate() {
        onAsked()
        return new Promise(() => {})
      },
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  }) as unknown as DescribedSchema

function start(structuredOutput: boolean) {
  const step = structuredOutput ? says('{"a":1}') : calls('submit_final_result', { a: 1 })
  const model = ScriptedModel.with({ abilities: { structuredOutput } }, step)
  const clock = createTestClock()
  const events = recordEvents()
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const session = createSession({ model, output: neverAnswers(onAsked), clock, onEvent: events.onEvent })
  return { session, model, clock, events, asked }
}

describe.each([
  ['the provider', true],
  ['the result tool', false],
])('an output schema that never answers, with a result by %s', (_, structuredOutput) => {
  it('fails the turn at the deadline, without another request', async () => {
    const { session, model, clock, events, asked } = start(structuredOutput)
    const outcome = session.send('go')
    await asked
    await clock.advance(119_000)
    expect(events.of('turn-end')).toEqual([])
    await clock.advance(1_000)
    expect(await outcome).toMatchObject({
      type: 'failed',
      text: expect.stringContaining('its schema did not answer in time'),
      failure: { class: 'timeout', evidence: { rule: 'output-schema' } },
    })
    expect(model.requests).toBe(1)
  })

  it('ends with the turn when that is stopped', async () => {
    const { session, asked } = start(structuredOutput)
    const outcome = session.send('go')
    await asked
    session.stop()
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(session.state).toBe('idle')
  })
})
