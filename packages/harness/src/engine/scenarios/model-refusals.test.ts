import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import {
  createTestClock,
  cuts,
  fails,
  finish,
  recordEvents,
  says,
  ScriptedModel,
  stalls,
  text,
} from '../../testing/index.ts'

describe('a provider that refuses', () => {
  it('with 429 is called again, not before the time it named', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const model = new ScriptedModel(fails(429, { retryAfterMs: 7_000 }), says('Now.'))
    const turn = runStateless({ model, clock, input: 'hi', onEvent: events.onEvent })
    const retry = await events.next('model-retry')
    expect(retry.delayMs).toBeGreaterThanOrEqual(7_000)
    expect(retry.failure).toMatchObject({ class: 'rate_limited', retryAfterMs: 7_000 })
    await clock.advance(6_999)
    expect(model.requests).toBe(1)
    await clock.advance(1)
    expect(await turn).toMatchObject({ type: 'done', text: 'Now.' })
  })

  it('with 429 and too long a wait ends the turn, and names the wait', async () => {
    const model = new ScriptedModel(fails(429, { retryAfterMs: 3_600_000 }))
    const outcome = await runStateless({ model, clock: createTestClock(), input: 'hi' })
    expect(outcome).toMatchObject({
      type: 'failed',
      failure: { class: 'rate_limited', retryAfterMs: 3_600_000, recoverable: true },
    })
  })

  it.each([
    [400, 'invalid_input'],
    [401, 'bad_credentials'],
    [402, 'quota_exhausted'],
    [403, 'bad_credentials'],
    [404, 'not_found'],
    [413, 'too_large'],
    [422, 'invalid_input'],
  ])('with %i ends the turn at once, as %s', async (status, failureClass) => {
    const model = new ScriptedModel(fails(status))
    const outcome = await runStateless({ model, clock: createTestClock(), input: 'hi' })
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: failureClass, recoverable: false } })
    expect(model.requests).toBe(1)
  })

  it.each([
    ['500', fails(500)],
    ['529', fails(529)],
    ['no network', fails({ kind: 'network' })],
    ['nonsense', fails({ kind: 'malformed' })],
  ])('with %s is called three times, and then the turn ends', async (_what, refusal) => {
    const clock = createTestClock()
    const events = recordEvents()
    const model = new ScriptedModel(refusal, refusal, refusal)
    const turn = runStateless({ model, clock, input: 'hi', onEvent: events.onEvent })
    await events.next('model-retry')
    await clock.advance(60_000)
    const outcome = await turn
    expect(outcome).toMatchObject({
      type: 'failed',
      failure: { class: 'model_unreachable', recoverable: true },
    })
    expect(events.of('model-retry').map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(outcome.text).not.toContain('scripted')
  })

  it('because of content ends the turn at once, as a refusal', async () => {
    const model = new ScriptedModel(says('', { finish: 'content-filter' }))
    const outcome = await runStateless({ model, clock: createTestClock(), input: 'hi' })
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'blocked_by_policy' } })
    expect(model.requests).toBe(1)
  })
})

describe('a turn that is stopped', () => {
  it('before the model call makes no model call', async () => {
    const model = new ScriptedModel()
    const session = createSession({
      model,
      onEvent: ({ type }) => {
        if (type === 'iteration-start') session.stop()
      },
    })
    expect(await session.send('hi')).toMatchObject({ type: 'aborted' })
    expect(model.requests).toBe(0)
  })

  it('between two attempts does not make the second', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const model = new ScriptedModel(fails(500))
    const session = createSession({ model, clock, onEvent: events.onEvent })
    const turn = session.send('hi')
    await events.next('model-retry')
    session.stop()
    expect(await turn).toMatchObject({ type: 'aborted' })
    expect(model.requests).toBe(1)
  })

  it('while a retry is announced does not wait for it', async () => {
    const clock = createTestClock()
    const model = new ScriptedModel(fails(500))
    const session = createSession({
      model,
      clock,
      onEvent: ({ type }) => {
        if (type === 'model-retry') session.stop()
      },
    })
    expect(await session.send('hi')).toMatchObject({ type: 'aborted' })
  })

  it('after only white space still has a text', async () => {
    const events = recordEvents()
    const session = createSession({ model: new ScriptedModel(stalls([text('  ')])), onEvent: events.onEvent })
    const turn = session.send('hi')
    await events.next('text-delta')
    session.stop()
    const outcome = await turn
    expect(outcome.type).toBe('aborted')
    expect(outcome.text.trim()).not.toBe('')
  })

  it('by its wall clock during a reply is capped, not failed', async () => {
    const clock = createTestClock()
    const options = { clock, budget: { wallClockMs: 5_000 }, input: 'hi' }
    const channel = runStateless({ ...options, model: new ScriptedModel(stalls([text('Well')])) })
    const session = createSession({ ...options, model: new ScriptedModel(stalls()) })
    const chat = session.send('hi')
    await clock.waiting()
    await clock.advance(5_000)
    expect(await channel).toMatchObject({ type: 'failed', cap: { kind: 'wall-clock', limit: 5_000 } })
    expect(await chat).toMatchObject({ type: 'capped', cap: { kind: 'wall-clock', limit: 5_000 } })
  })
})

describe('a model that breaks its contract', () => {
  it('rejects the turn, and the watchers still get turn-end', async () => {
    const events = recordEvents()
    const session = createSession({ model: new ScriptedModel(), onEvent: events.onEvent })
    await expect(session.send('hi')).rejects.toThrow('The script ran out')
    expect(events.all.at(-1)).toMatchObject({
      type: 'turn-end',
      outcome: { type: 'failed', failure: { class: 'unknown' } },
    })
    expect(await session.steer('still there?')).toMatchObject({ delivered: false })
  })

  it('leaves no timer behind', async () => {
    const clock = createTestClock()
    let timers = 0
    const counting = {
      ...clock,
      after(ms: number, task: () => void) {
        timers++
        let open = true
        const done = () => {
          if (open) timers--
          open = false
        }
        const cancel = clock.after(ms, () => {
          done()
          task()
        })
        return () => {
          done()
          cancel()
        }
      },
    }
    const steps = [
      [],
      [says('Hi.')],
      [fails(401)],
      [cuts([text('a')]), says('b')],
      [stalls([text('a'), finish])],
    ]
    for (const script of steps) {
      const turn = runStateless({ model: new ScriptedModel(...script), clock: counting, input: 'hi' })
      await turn.catch(() => {})
      await clock.advance(120_000)
      expect(timers).toBe(0)
    }
  })
})
