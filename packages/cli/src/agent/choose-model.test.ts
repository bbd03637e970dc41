import { describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'

describe('chooseModel', () => {
  it('prefers the flag, then CAPSTAN_MODEL', () => {
    const env = { CAPSTAN_MODEL: 'ollama/small', OPENAI_API_KEY: 'k' }
    expect(chooseModel('ollama/large', env).id).toBe('ollama/large')
    expect(chooseModel(undefined, env).id).toBe('ollama/small')
  })

  it.each([
    [{ OPENAI_API_KEY: 'k' }, /^openai\//],
    [{ ANTHROPIC_API_KEY: 'k' }, /^anthropic\//],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, /^google\//],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: '' }, /^anthropic\//],
  ])('chooses a model by the first key of %o', (env, id) => {
    expect(chooseModel(undefined, env).id).toMatch(id)
  })

  it('names the ways to set a model when there is none', () => {
    expect(() => chooseModel(undefined, {})).toThrow(/--model.*CAPSTAN_MODEL.*OPENAI_API_KEY/)
  })

  it('refuses a model without its key', () => {
    expect(() => chooseModel('openai/gpt-6.1-terra', {})).toThrow('OPENAI_API_KEY')
  })
})
