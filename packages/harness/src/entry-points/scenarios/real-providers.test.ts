import type { TurnEvent } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { ANTHROPIC, OPENAI_COMPATIBLE } from '../../testing/provider-models.ts'
import { cutAfter, failsWith, startProviderServer, webPage } from '../../testing/provider-server.ts'
import type { ProviderServer } from '../../testing/provider-server.ts'
import { systemClock } from '../../turn/clock.ts'
import type { Clock } from '../../turn/clock.ts'
import type { ModelClient } from '../../models/model-client.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import { runStateless } from '../stateless-loop.ts'

/** Divides all waits by a hundred. Durations and deadlines stay real. */
const hurriedClock: Clock = { ...systemClock, after: (ms, task) => systemClock.after(ms / 100, task) }

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** Runs one turn with two tools and returns its outcome, events and calls. */
async function ask(model: ModelClient) {
  const events: TurnEvent[] = []
  const ran: unknown[] = []
  const tool = (name: string, answer: string) =>
    defineTool({
      name,
      description: `Tells the ${name} of a city.`,
      input: city,
      effect: 'read',
      run: (args) => {
        ran.push([name, args])
        return answer
      },
    })
  const outcome = await runStateless({
    model,
    instructions: 'You know cities.',
    tools: [tool('weather', 'Rain, 7 degrees'), tool('time', '14:05')],
    input: 'How is Oslo?',
    clock: hurriedClock,
    onEvent: (event) => void events.push(event),
  })
  return {
    outcome,
    ran,
    events: { all: events, of: (type: TurnEvent['type']) => events.filter((e) => e.type === type) },
  }
}

const twoCalls = {
  calls: [
    { id: 'call_w', tool: 'weather', args: '{"city":"Oslo"}' },
    { id: 'call_t', tool: 'time', args: '{"city":"Oslo"}' },
  ],
}
const ranBoth = [
  ['weather', { city: 'Oslo' }],
  ['time', { city: 'Oslo' }],
]

const bodyOf = (server: ProviderServer, n: number): Readonly<Record<string, unknown>> =>
  server.requests[n]?.body ?? {}

describe.each([OPENAI_COMPATIBLE, ANTHROPIC])('a turn with $name', ({ connect, reply }) => {
  it('reasons, calls two tools at once and answers from their results', async () => {
    const usage = { input: 100, cached: 60, output: 20, reasoning: 5 }
    await using server = await startProviderServer(
      reply({ reasoning: 'Two things to look up', ...twoCalls, usage }),
      reply({ text: 'It rains in Oslo, and it is 14:05.', usage }),
    )
    const { outcome, ran, events } = await ask(connect(server))
    expect(outcome).toMatchObject({
      type: 'done',
      text: 'It rains in Oslo, and it is 14:05.',
      iterations: 2,
      usage: { inputTokens: 200, cachedInputTokens: 120, outputTokens: 40, reasoningTokens: 10 },
    })
    expect(ran).toEqual(ranBoth)
    expect(events.of('reasoning-delta').length).toBeGreaterThan(0)
    expect(events.of('tool-end')).toMatchObject([
      { tool: 'weather', ok: true },
      { tool: 'time', ok: true },
    ])
    const sent = JSON.stringify(bodyOf(server, 1)['messages'])
    expect(sent.indexOf('Rain, 7 degrees')).toBeGreaterThan(sent.indexOf('call_t'))
    expect(sent.indexOf('14:05')).toBeGreaterThan(sent.indexOf('Rain, 7 degrees'))
  })

  it('sends the second request as an extension of the first', async () => {
    await using server = await startProviderServer(reply(twoCalls), reply({ text: 'Fine.' }))
    await ask(connect(server))
    const { messages: before, ...first } = bodyOf(server, 0)
    const { messages: after, ...second } = bodyOf(server, 1)
    expect(second).toEqual(first)
    expect(JSON.stringify(after).startsWith(JSON.stringify(before).slice(0, -1))).toBe(true)
  })

  it('waits as long as a rate limit asks, then continues', async () => {
    await using server = await startProviderServer(
      failsWith(
        429,
        { type: 'error', error: { type: 'rate_limit_error', message: 'Slow' } },
        { 'retry-after': '3' },
      ),
      reply({ text: 'Fine.' }),
    )
    const { outcome, events } = await ask(connect(server))
    expect(outcome).toMatchObject({ type: 'done', text: 'Fine.' })
    expect(events.of('model-retry')).toMatchObject([
      { attempt: 1, delayMs: 3000, failure: { class: 'rate_limited', retryAfterMs: 3000 } },
    ])
  })

  it('retries when the connection breaks inside a call, and runs each call once', async () => {
    await using server = await startProviderServer(
      cutAfter(reply(twoCalls), '{\\"city'),
      reply(twoCalls),
      reply({ text: 'Fine.' }),
    )
    const { outcome, ran, events } = await ask(connect(server))
    expect(outcome).toMatchObject({ type: 'done', text: 'Fine.' })
    expect(ran).toEqual(ranBoth)
    expect(events.of('model-retry')).toMatchObject([{ attempt: 1, failure: { class: 'model_unreachable' } }])
    expect(bodyOf(server, 1)).toEqual(bodyOf(server, 0))
  })

  it.each([200, 502])(
    'explains an HTML page with status %i in plain words without showing it',
    async (status) => {
      await using server = await startProviderServer(webPage(status), webPage(status), webPage(status))
      const { outcome, events } = await ask(connect(server))
      expect(outcome).toMatchObject({
        type: 'failed',
        failure: { class: 'model_unreachable', category: 'transient' },
      })
      expect(outcome.text).not.toBe('')
      expect(JSON.stringify(events.all)).not.toMatch(/html|Sorry|Gateway/i)
      expect(server.requests).toHaveLength(3)
    },
  )
})

it('a request to Anthropic returns the reasoning with its signature before the calls', async () => {
  await using server = await startProviderServer(
    ANTHROPIC.reply({ reasoning: 'Look it up', ...twoCalls }),
    ANTHROPIC.reply({ text: 'Fine.' }),
  )
  await ask(ANTHROPIC.connect(server))
  expect(bodyOf(server, 1)['messages']).toMatchObject([
    { role: 'user' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look it up', signature: 'sig' },
        { type: 'tool_use', id: 'call_w', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'call_t', input: { city: 'Oslo' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_w' },
        { type: 'tool_result', tool_use_id: 'call_t' },
      ],
    },
  ])
})

it('a request to an OpenAI-compatible server returns the reasoning beside the calls', async () => {
  await using server = await startProviderServer(
    OPENAI_COMPATIBLE.reply({ reasoning: 'Look it up', ...twoCalls }),
    OPENAI_COMPATIBLE.reply({ text: 'Fine.' }),
  )
  await ask(OPENAI_COMPATIBLE.connect(server))
  expect(bodyOf(server, 1)['messages']).toMatchObject([
    { role: 'system', content: expect.stringContaining('You know cities.') },
    { role: 'user' },
    { role: 'assistant', reasoning_content: 'Look it up', tool_calls: [{ id: 'call_w' }, { id: 'call_t' }] },
    { role: 'tool', tool_call_id: 'call_w' },
    { role: 'tool', tool_call_id: 'call_t' },
  ])
})
