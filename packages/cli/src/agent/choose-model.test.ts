import { describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'

describe('the model to ask', () => {
  it('is the one of the flag, then of CAPSTAN_MODEL', () => {
    const env = { CAPSTAN_MODEL: 'ollama/small', OPENAI_API_KEY: 'k' }
    expect(chooseModel('ollama/large', env).id).toBe('ollama/large')
    expect(chooseModel(undefined, env).id).toBe('ollama/small')
  })

  it.each([
    [{ OPENAI_API_KEY: 'k' }, /^openai\//],
    [{ ANTHROPIC_API_KEY: 'k' }, /^anthropic\//],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, /^google\//],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: '' }, /^anthropic\//],
  ])('is one that the key in %o opens', (env, id) => {
    expect(chooseModel(undefined, env).id).toMatch(id)
  })

  it('is asked for in one sentence when nothing names one', () => {
    expect(() => chooseModel(undefined, {})).toThrow(/--model.*CAPSTAN_MODEL.*OPENAI_API_KEY/)
  })

  it('needs its key', () => {
    expect(() => chooseModel('openai/gpt-6.1-terra', {})).toThrow('OPENAI_API_KEY')
  })
})
