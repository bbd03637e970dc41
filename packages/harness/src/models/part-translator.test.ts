import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { PartTranslator } from './part-translator.ts'
import type { ProviderPart } from './part-translator.ts'
import type { ModelPart } from './model-client.ts'

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: undefined, reasoning: undefined },
}
const finish: ProviderPart = { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } }
const call = (id: string): ProviderPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'search',
  input: '{}',
})

function translate(...parts: ProviderPart[]): readonly ModelPart[] {
  const translator = new PartTranslator('acme/m', { input: 1, cachedInput: 1, output: 1 })
  for (const part of parts) translator.take(part)
  return translator.out
}

const shortly = (parts: readonly ModelPart[]): string[] =>
  parts.map((part) =>
    'delta' in part ? `${part.type} ${part.delta}` : 'id' in part ? `${part.type} ${part.id}` : part.type,
  )

describe('PartTranslator', () => {
  it('closes a block when another begins, even if the provider interleaves them', () => {
    const parts = translate(
      { type: 'reasoning-start', id: 'r0', providerMetadata: { openai: { itemId: 'rs', part: 0 } } },
      { type: 'reasoning-delta', id: 'r0', delta: 'a' },
      { type: 'reasoning-start', id: 'r1' },
      { type: 'reasoning-delta', id: 'r1', delta: 'b' },
      { type: 'reasoning-end', id: 'r0' },
      { type: 'reasoning-end', id: 'r1', providerMetadata: { openai: { itemId: 'rs', part: 1 } } },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'c' },
      { type: 'tool-input-start', id: 'x', toolName: 'search' },
      { type: 'text-end', id: 't' },
      call('x'),
      finish,
    )
    expect(shortly(parts)).toEqual([
      'reasoning a',
      'block-end',
      'reasoning b',
      'block-end',
      'text c',
      'block-end',
      'call-start x',
      'call x',
      'finish',
    ])
    expect(parts[1]).toEqual({ type: 'block-end', extras: { openai: { itemId: 'rs', part: 0 } } })
    expect(parts[3]).toEqual({ type: 'block-end', extras: { openai: { itemId: 'rs', part: 1 } } })
  })

  it('reports nothing for an empty block', () => {
    expect(
      shortly(translate({ type: 'text-start', id: 't' }, { type: 'text-end', id: 't' }, finish)),
    ).toEqual(['finish'])
  })

  it('keeps provider data with a call', () => {
    const extras = { google: { thoughtSignature: 'sig' } }
    const parts = translate(
      { type: 'tool-call', toolCallId: 'x', toolName: 'search', input: '{}', providerMetadata: extras },
      finish,
    )
    expect(parts[0]).toEqual({ type: 'call', id: 'x', tool: 'search', argumentsText: '{}', extras })
  })

  it('holds a call back until the stream continues after it', () => {
    expect(translate(call('x'))).toEqual([])
    expect(
      shortly(translate(call('x'), call('y'), { type: 'tool-input-start', id: 'z', toolName: 'search' })),
    ).toEqual(['call x', 'call y', 'call-start z'])
  })

  it('ignores calls that run at the provider', () => {
    const parts = translate(
      { type: 'tool-input-start', id: 'x', toolName: 'web_search', providerExecuted: true },
      { type: 'tool-input-delta', id: 'x', delta: '{}' },
      { type: 'tool-call', toolCallId: 'x', toolName: 'web_search', input: '{}', providerExecuted: true },
      finish,
    )
    expect(shortly(parts)).toEqual(['finish'])
  })

  it.each([
    ['interrupted', 'cut'],
    ['error', 'malformed'],
  ] as const)('treats the finish reason "%s" as a failure', (unified, kind) => {
    expect(() =>
      translate(call('x'), { type: 'finish', usage, finishReason: { unified, raw: undefined } }),
    ).toThrow(expect.objectContaining({ facts: { kind, model: 'acme/m', retryable: true } }))
  })

  it('derives missing token counts from the given ones', () => {
    const parts: ProviderPart = {
      ...finish,
      usage: {
        inputTokens: { total: undefined, noCache: 100, cacheRead: 50, cacheWrite: 25 },
        outputTokens: { total: undefined, text: 7, reasoning: 3 },
      },
      providerMetadata: { gateway: { cost: '0.5' } },
    }
    expect(translate(parts)).toEqual([
      {
        type: 'finish',
        reason: 'stop',
        usage: {
          inputTokens: 175,
          outputTokens: 10,
          cachedInputTokens: 50,
          cacheWriteTokens: 25,
          reasoningTokens: 3,
          chargedUsd: 0.5,
          estimatedUsd: 0,
        },
      },
    ])
  })
})
