import { createSession, defineTool } from '@capstan/harness'
import type { DescribedSchema } from '@capstan/harness/seams'
import { calls, createTestClock, recordEvents, says, ScriptedModel } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'

const schemaOf = (validate: (value: unknown) => unknown) =>
  ({
    '~standard': {
      version: 1,
      vendor: 'test',
      validate,
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  }) as unknown as DescribedSchema
const never = () => new Promise<never>(() => {})

function start(validate: (value: unknown) => unknown) {
  const ran: unknown[] = []
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    input: schemaOf(validate),
    run: (args) => ran.push(args),
  })
  const events = recordEvents()
  const clock = createTestClock()
  const model = new ScriptedModel(calls('look'), says('ok'))
  const session = createSession({ model, tools: [look], clock, onEvent: events.onEvent })
  return { session, events, clock, ran }
}

describe('a call whose input schema never answers', () => {
  it('fails at the deadline, and the turn goes on', async () => {
    const { session, events, clock, ran } = start(never)
    const started = events.next('tool-start')
    const outcome = session.send('go')
    await started
    await clock.advance(119_000)
    expect(events.of('tool-end')).toEqual([])
    await clock.advance(1_000)
    expect(await outcome).toMatchObject({ type: 'done', text: 'ok' })
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'timeout' } })
    expect(ran).toEqual([])
  })

  it('ends when the turn is stopped', async () => {
    const { session, events, ran } = start(never)
    const started = events.next('tool-start')
    const outcome = session.send('go')
    await started
    session.stop()
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'cancelled' } })
    expect(ran).toEqual([])
  })
})

describe('a call whose input schema answers later', () => {
  it('runs with the value of the schema', async () => {
    const { session, ran } = start(async () => ({ value: { n: 1 } }))
    expect(await session.send('go')).toMatchObject({ type: 'done' })
    expect(ran).toEqual([{ n: 1 }])
  })

  it('is refused when the schema rejects', async () => {
    const { session, events } = start(() => Promise.reject(new Error('boom')))
    await session.send('go')
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, output: expect.stringContaining('boom') })
  })
})
