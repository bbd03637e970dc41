import { createSession, defineTool, runStateless } from '@capstan/harness'
import type { CheckpointStrategy } from '@capstan/harness/seams'
import { calls, createTestClock, recordEvents, says, ScriptedModel } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  effect: 'read',
  input: { type: 'object' },
  run: () => 'seen',
})
const throws = () => {
  throw new Error('odd')
}
const toStrategy = (atCap: (capped: { ask: (question: string) => unknown }) => unknown) =>
  ({ atCap }) as CheckpointStrategy

function start(checkpoint: CheckpointStrategy, ...more: ReturnType<typeof says>[]) {
  const events = recordEvents()
  const clock = createTestClock()
  const model = new ScriptedModel(calls('look'), ...more)
  const limits = { maxIterations: 1 }
  const options = { model, tools: [look], limits, clock, onEvent: events.onEvent, checkpoint }
  return { session: createSession(options), options, events, clock }
}

const PLAIN = 'Stopped at the limit (iterations: 1). Calls so far:\n- look [ok]\nReply "continue" to go on.'

describe('a checkpoint that cannot be used', () => {
  it.each([
    ['nothing', async () => undefined],
    ['a promise of text', async () => 'text'],
    ['blank text', async () => ({ type: 'pause', text: ' ', resumeToken: 'a' })],
    ['text that is no string', async () => ({ type: 'pause', text: 5 })],
    ['an unknown type', async () => ({ type: 'other' })],
    ['an object whose getters throw', async () => Object.defineProperty({}, 'type', { get: throws })],
    ['an error', throws],
    ['a rejection', () => Promise.reject(new Error('odd'))],
  ])('becomes a plain summary: %s', async (_, atCap) => {
    const { session, events } = start(toStrategy(atCap))
    const outcome = await session.send('go')
    expect(outcome).toMatchObject({ type: 'capped', text: PLAIN, resumeToken: expect.stringMatching(/./) })
    expect(events.all.at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'capped', text: PLAIN } })
  })

  it('stays a failure when it says so with blank text', async () => {
    const { options } = start(toStrategy(async () => ({ type: 'fail', text: '' })))
    const outcome = await runStateless({ ...options, input: 'go' })
    expect(outcome).toMatchObject({ type: 'failed', text: PLAIN, cap: { kind: 'iterations' } })
  })
})

describe('a checkpoint that never answers', () => {
  const never = (onAsked: () => void) =>
    toStrategy(() => {
      onAsked()
      return new Promise(() => {})
    })

  it('becomes a plain summary at the deadline', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const { session, clock } = start(never(resolve))
    const outcome = session.send('go')
    await asked
    await clock.advance(720_000)
    expect(await outcome).toMatchObject({ type: 'capped', text: PLAIN })
  })

  it('ends when the turn is stopped', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const { session } = start(never(resolve))
    const outcome = session.send('go')
    await asked
    session.stop()
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(session.state).toBe('idle')
  })

  it('gets no more answers from the model after the end', async () => {
    const { promise: end, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: late, resolve: onLate } = Promise.withResolvers<unknown>()
    const checkpoint = toStrategy(async ({ ask }) => {
      await end
      onLate(await ask('late?'))
    })
    const { session, clock, events } = start(checkpoint, says('late'))
    const outcome = session.send('go')
    await clock.waiting()
    await clock.advance(720_000)
    await outcome
    goOn()
    expect(await late).toBeUndefined()
    expect(events.all.at(-1)).toMatchObject({ type: 'turn-end' })
  })
})
