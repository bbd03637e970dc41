import { describe, expect, it } from 'vitest'
import { ANTHROPIC, OPENAI_COMPATIBLE } from '../testing/provider-models.ts'
import {
  chatReply,
  cutAfter,
  endAfter,
  failsWith,
  insertAfter,
  messagesReply,
  startProviderServer,
  webPage,
} from '../testing/provider-server.ts'
import type { ProviderAnswer } from '../testing/provider-server.ts'
import { deltasOf, readFailure } from '../testing/read-model.ts'

const twoCalls = {
  text: 'Let me look.',
  calls: [
    { id: 'call_a', tool: 'search', args: '{"q":"one"}' },
    { id: 'call_b', tool: 'search', args: '{"q":"two"}' },
  ],
}

const midCall = '{\\"q\\"'

describe.each([OPENAI_COMPATIBLE, ANTHROPIC])('a failing call of $name', ({ connect, reply, id }) => {
  it('reports a rate limit with the time to wait', async () => {
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }
    await using server = await startProviderServer(failsWith(429, body, { 'retry-after': '7' }))
    const { facts } = await readFailure(connect(server))
    expect(facts).toEqual({
      kind: 'http',
      model: id,
      httpStatus: 429,
      retryAfterMs: 7000,
      errorCode: 'rate_limit_error',
      retryable: true,
    })
  })

  it.each([
    [400, false],
    [401, false],
    [402, false],
    [403, false],
    [404, false],
    [413, false],
    [422, false],
    [408, true],
    [409, true],
    [500, true],
    [503, true],
    [529, true],
  ])('marks status %i as transient: %s', async (status, retryable) => {
    const body = { type: 'error', error: { type: 'some_error', message: 'No' } }
    await using server = await startProviderServer(failsWith(status, body))
    expect((await readFailure(connect(server))).facts).toMatchObject({
      kind: 'http',
      httpStatus: status,
      retryable,
    })
  })

  it('is not retryable when the account is empty', async () => {
    const body = {
      type: 'error',
      error: { type: 'billing_error', code: 'insufficient_quota', message: 'Pay' },
    }
    await using server = await startProviderServer(failsWith(429, body))
    expect((await readFailure(connect(server))).facts).toMatchObject({
      errorCode: 'insufficient_quota',
      retryable: false,
    })
  })

  it('never yields a call that was cut in the middle', async () => {
    await using server = await startProviderServer(cutAfter(reply(twoCalls), midCall))
    const { parts, facts } = await readFailure(connect(server))
    expect(deltasOf(parts, 'text')).toBe('Let me look.')
    expect(parts.filter((part) => part.type === 'call')).toEqual([])
    expect(facts).toMatchObject({ kind: 'cut', retryable: true })
  })

  it('never yields a half-written call of a body that ended normally', async () => {
    await using server = await startProviderServer(endAfter(reply(twoCalls), midCall))
    const { parts, facts } = await readFailure(connect(server))
    expect(parts.some((part) => part.type === 'call-start')).toBe(true)
    expect(parts.filter((part) => part.type === 'call')).toEqual([])
    expect(facts).toMatchObject({ kind: 'cut', retryable: true })
  })

  it('reports a web page with a success status as a malformed answer', async () => {
    await using server = await startProviderServer(webPage(200))
    const { parts, facts } = await readFailure(connect(server))
    expect(parts).toEqual([])
    expect(facts).toMatchObject({ kind: 'malformed', retryable: true })
  })

  it('reports a web page with an error status by its status', async () => {
    await using server = await startProviderServer(webPage(502))
    const { facts } = await readFailure(connect(server))
    expect(facts).toEqual({ kind: 'http', model: id, httpStatus: 502, retryable: true })
  })

  it.each(['first', 'later'])(
    'reports a frame that is not JSON as a malformed answer (%s frame)',
    async (where) => {
      const whole = reply({ text: 'Hello there' })
      const answer: ProviderAnswer =
        where === 'first'
          ? { ...whole, chunks: ['data: {"oops\n\n', ...whole.chunks] }
          : insertAfter(whole, 'Hello', 'data: {"oops\n\n')
      await using server = await startProviderServer(answer)
      expect((await readFailure(connect(server))).facts).toMatchObject({ kind: 'malformed', retryable: true })
    },
  )

  it('reports an unreachable server as a network failure', async () => {
    const server = await startProviderServer()
    await server[Symbol.asyncDispose]()
    expect((await readFailure(connect(server))).facts).toEqual({
      kind: 'network',
      model: id,
      retryable: true,
    })
  })
})

describe('an error in the stream', () => {
  it('is read as the matching status', async () => {
    const overloaded =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n'
    await using server = await startProviderServer(
      insertAfter(messagesReply({ text: 'Hello there' }), 'Hello', overloaded),
      { ...messagesReply({}), chunks: [overloaded] },
    )
    const model = ANTHROPIC.connect(server)
    const facts = { kind: 'http', httpStatus: 529, errorCode: 'overloaded_error', retryable: true }
    expect((await readFailure(model)).facts).toMatchObject(facts)
    expect((await readFailure(model)).facts).toMatchObject(facts)
  })

  it('about an empty account is not retryable', async () => {
    const frame =
      'data: {"error":{"message":"Pay first","type":"insufficient_quota","code":"insufficient_quota"}}\n\n'
    await using server = await startProviderServer(
      insertAfter(chatReply({ text: 'Hello there' }), 'Hello', frame),
    )
    expect((await readFailure(OPENAI_COMPATIBLE.connect(server))).facts).toMatchObject({
      kind: 'http',
      errorCode: 'insufficient_quota',
      retryable: false,
    })
  })
})
