import { expect, it } from 'vitest'
import { abilitiesOf } from './model-catalogue.ts'
import { estimateUsd, pricesOf } from './prices.ts'

it('a price is found for a dated release by its name prefix, the longest first', () => {
  expect(pricesOf('openai/gpt-5.4-mini-2026-03-17')).toEqual({ input: 0.75, cachedInput: 0.075, output: 4.5 })
  expect(pricesOf('anthropic/claude-opus-5-5')).toMatchObject({ input: 4, output: 20, cacheWrite: 5 })
  expect(pricesOf('anthropic/claude-opus-5')).toMatchObject({ input: 5, output: 25 })
})

it('an unknown model gets a middle price, so that cost is never zero', () => {
  expect(pricesOf('acme/giant')).toEqual({ input: 3, cachedInput: 0.3, output: 15 })
})

it.each(['ollama/llama4', 'http://localhost:8000/v1#m', 'http://127.0.0.1/v1#m', 'http://[::1]:1/v1#m'])(
  '%s, which runs on this machine, costs nothing',
  (id) => {
    expect(pricesOf(id)).toEqual({ input: 0, cachedInput: 0, output: 0 })
  },
)

it('a remote server is not priced as this machine', () => {
  expect(pricesOf('http://localhost.example.com/v1#m').input).toBe(3)
})

it('the price counts each input token once', () => {
  const usage = {
    inputTokens: 1_000_000,
    cachedInputTokens: 400_000,
    cacheWriteTokens: 100_000,
    outputTokens: 200_000,
    reasoningTokens: 150_000,
  }
  const prices = { input: 10, cachedInput: 1, cacheWrite: 20, output: 50 }
  expect(estimateUsd(usage, prices)).toBeCloseTo(5 + 0.4 + 2 + 10)
  expect(estimateUsd(usage, { ...prices, cacheWrite: undefined })).toBeCloseTo(5 + 0.4 + 1 + 10)
})

it('well-known models have a window and media types', () => {
  expect(abilitiesOf('anthropic/claude-sonnet-4-5')).toEqual({
    mediaInResults: true,
    structuredOutput: false,
    tools: true,
    images: true,
    files: ['application/pdf'],
    contextWindow: 200_000,
  })
  expect(abilitiesOf('openai/o3-mini').images).toBe(false)
})

it('an unknown model has an unknown window', () => {
  expect(abilitiesOf('acme/giant')).toEqual({ tools: true, images: true, files: [] })
})
