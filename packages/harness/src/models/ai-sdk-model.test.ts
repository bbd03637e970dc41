import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { CallId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { ANTHROPIC, OPENAI_COMPATIBLE } from '../testing/provider-models.ts'
import {
  byteByByte,
  chatReply,
  messagesReply,
  stallAfter,
  startProviderServer,
} from '../testing/provider-server.ts'
import { deltasOf, readParts, requestOf, userMessage } from '../testing/read-model.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { Message } from '../turn/message/message.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { fromAiSdk } from './ai-sdk-model.ts'

const search = defineTool({
  name: 'search',
  description: 'Searches.',
  input: { type: 'object', properties: { q: { type: 'string' } } },
  run: () => '',
})

const twoCalls = {
  text: 'Let me look.',
  calls: [
    { id: 'call_a', tool: 'search', args: '{"q":"one"}' },
    { id: 'call_b', tool: 'search', args: '{"q":"two"}' },
  ],
}

describe.each([OPENAI_COMPATIBLE, ANTHROPIC])('a model of $name', ({ connect, reply, id }) => {
  it('streams reasoning, then text, each in its own block', async () => {
    await using server = await startProviderServer(
      reply({ reasoning: 'Let me think', text: 'Good morning to you' }),
    )
    const model = connect(server)
    const parts = await readParts(model)
    expect(model.id).toBe(id)
    expect(deltasOf(parts, 'reasoning')).toBe('Let me think')
    expect(deltasOf(parts, 'text')).toBe('Good morning to you')
    expect(parts.filter((part) => part.type === 'text').length).toBeGreaterThan(1)
    expect(parts.map((part) => part.type).filter((type, n, all) => type !== all[n - 1])).toEqual([
      'reasoning',
      'block-end',
      'text',
      'block-end',
      'finish',
    ])
  })

  it('streams parallel calls and ends with them whole and in order', async () => {
    await using server = await startProviderServer(reply(twoCalls))
    const parts = await readParts(connect(server))
    expect(parts.filter((part) => part.type === 'call')).toEqual([
      { type: 'call', id: 'call_a', tool: 'search', argumentsText: '{"q":"one"}' },
      { type: 'call', id: 'call_b', tool: 'search', argumentsText: '{"q":"two"}' },
    ])
    const deltas = parts.filter((part) => part.type === 'call-delta' && part.id === 'call_b')
    expect(deltas.map((part) => ('delta' in part ? part.delta : '')).join('')).toBe('{"q":"two"}')
    expect(parts.findIndex((part) => part.type === 'block-end')).toBeLessThan(
      parts.findIndex((part) => part.type === 'call-start'),
    )
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
  })

  it('counts cached and reasoning tokens', async () => {
    const usage = { input: 1000, cached: 600, output: 50, reasoning: 30 }
    await using server = await startProviderServer(reply({ text: 'Hi', usage }))
    expect((await readParts(connect(server))).at(-1)).toMatchObject({
      usage: {
        inputTokens: 1000,
        cachedInputTokens: 600,
        outputTokens: 50,
        reasoningTokens: 30,
        chargedUsd: 0,
      },
    })
  })

  it('joins characters that arrive in halves', async () => {
    await using server = await startProviderServer(byteByByte(reply({ text: 'Grüße 👩‍🚀 日本' })))
    expect(deltasOf(await readParts(connect(server)), 'text')).toBe('Grüße 👩‍🚀 日本')
  })

  it('reuses connections for later requests', async () => {
    const replies = Array.from({ length: 5 }, () => reply({ text: 'Hi' }))
    await using server = await startProviderServer(...replies)
    const model = connect(server)
    for (const _ of replies) await readParts(model)
    expect(server.requests).toHaveLength(5)
    // One may still be draining when the next request starts; more would mean that each is thrown away.
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  it('closes the connection when the reader stops early', async () => {
    await using server = await startProviderServer(stallAfter(reply({ text: 'One two three' }), 'One tw'))
    const enough = new Error('enough')
    const reading = connect(server).stream(requestOf(), new AbortController().signal, (part) => {
      if (part.type === 'text') throw enough
    })
    await expect(reading).rejects.toBe(enough)
    await server.abandoned
  })

  it('throws the abort reason before, during and after the start of the answer', async () => {
    const stalled = stallAfter(reply({ text: 'One two three' }), 'One tw')
    const silent = { ...stalled, chunks: [] }
    await using server = await startProviderServer(stalled, silent)
    const model = connect(server)
    const reason = new Error('enough')

    await expect(readParts(model, requestOf(), AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(server.requests).toHaveLength(0)

    const during = new AbortController()
    const failure = model.stream(requestOf(), during.signal, (part) => {
      if (part.type === 'text') during.abort(reason)
    })
    await expect(failure).rejects.toBe(reason)

    const waiting = new AbortController()
    const silence = readParts(model, requestOf(), waiting.signal)
    waiting.abort(reason)
    await expect(silence).rejects.toBe(reason)
  })
})

describe('a request to the provider', () => {
  it('returns the signature of a thought with the next request', async () => {
    await using server = await startProviderServer(
      messagesReply({
        reasoning: 'I should look',
        signature: 'sig-123',
        calls: [{ id: 'call_a', tool: 'search', args: '{"q":"x"}' }],
      }),
      messagesReply({ text: 'Done' }),
    )
    const model = ANTHROPIC.connect(server)
    const parts = await readParts(model)
    const thought = parts.find((part) => part.type === 'block-end')
    expect(thought).toEqual({ type: 'block-end', extras: { anthropic: { signature: 'sig-123' } } })

    await readParts(
      model,
      requestOf([
        userMessage('Hi'),
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'I should look', extras: thought?.extras },
            { type: 'call', call: { id: 'call_a' as CallId, tool: 'search', arguments: { q: 'x' } } },
          ],
        },
        { role: 'tool', callId: 'call_a' as CallId, tool: 'search', ok: true, text: 'found' },
      ]),
    )
    expect(server.requests[1]?.body).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I should look', signature: 'sig-123' },
            { type: 'tool_use', id: 'call_a', name: 'search', input: { q: 'x' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a', content: 'found' }] },
      ],
    })
  })

  it('keeps a thought that has a signature and no text', async () => {
    await using server = await startProviderServer(
      messagesReply({ reasoning: '', signature: 'sig-9', text: 'Hi' }),
    )
    expect((await readParts(ANTHROPIC.connect(server))).slice(0, 2)).toEqual([
      { type: 'reasoning', delta: '' },
      { type: 'block-end', extras: { anthropic: { signature: 'sig-9' } } },
    ])
  })

  it('carries tools, limits and reasoning to an OpenAI-compatible server', async () => {
    await using server = await startProviderServer(chatReply({ text: 'Hi' }))
    const messages: Message[] = [
      userMessage('Hi'),
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm' },
          { type: 'text', text: 'Yes?' },
        ],
      },
      userMessage('Go on'),
    ]
    await readParts(
      OPENAI_COMPATIBLE.connect(server),
      requestOf(messages, { tools: [search], temperature: 0.2 }),
    )
    expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions' })
    expect(server.requests[0]?.body).toMatchObject({
      model: 'm',
      max_tokens: 500,
      temperature: 0.2,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'search', description: 'Searches.' } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?', reasoning_content: 'Hm' },
        { role: 'user', content: 'Go on' },
      ],
    })
  })
})

describe('the cost of a reply', () => {
  it('is the charge the provider names', async () => {
    await using server = await startProviderServer(chatReply({ text: 'Hi', usage: { cost: 0.0042 } }))
    expect((await readParts(OPENAI_COMPATIBLE.connect(server))).at(-1)).toMatchObject({
      usage: { chargedUsd: 0.0042, estimatedUsd: 0 },
    })
  })

  it('is estimated from the price table otherwise, with own prices for cached and written tokens', async () => {
    const usage = { input: 3_000_000, cached: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 }
    await using server = await startProviderServer(messagesReply({ text: 'Hi', usage }))
    const finish = (await readParts(ANTHROPIC.connect(server))).at(-1)
    expect(finish).toMatchObject({ usage: { chargedUsd: 0, estimatedUsd: 2 + 0.2 + 2.5 + 10 } })
  })
})

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const modelOf = (doStream: LanguageModelV3['doStream']): LanguageModelV3 => ({
  specificationVersion: 'v3',
  provider: 'old.chat',
  modelId: 'm',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('not used')),
  doStream,
})

describe('a model of the older specification', () => {
  it('streams the same parts', async () => {
    const stream = ReadableStream.from<LanguageModelV3StreamPart>([
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hi' },
      { type: 'text-end', id: '0' },
      { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } },
    ])
    const model = fromAiSdk(modelOf(() => Promise.resolve({ stream })))
    expect(model.id).toBe('old/m')
    expect((await readParts(model)).map((part) => part.type)).toEqual(['text', 'block-end', 'finish'])
  })

  it('that ignores the signal is stopped anyway', async () => {
    const stop = new AbortController()
    const { promise: cancelled, resolve } = Promise.withResolvers<unknown>()
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'Hi' }),
      cancel: resolve,
    })
    const reason = new Error('enough')
    const model = fromAiSdk(modelOf(() => Promise.resolve({ stream })))
    const reading = model.stream(requestOf(), stop.signal, () => {
      setImmediate(() => stop.abort(reason))
    })
    await expect(reading).rejects.toBe(reason)
    expect(await cancelled).toBe(reason)
  })

  it('that is too old is refused at once', () => {
    const model = Object.assign(
      modelOf(() => Promise.reject(new Error('not used'))),
      { specificationVersion: 'v2' },
    )
    expect(() => fromAiSdk(model)).toThrow(ConfigurationError)
  })
})
