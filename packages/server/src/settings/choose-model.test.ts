import { createDemoModel, FAST } from '@capstan/demo'
import { describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'

const demo = createDemoModel(FAST)
const NOTHING = { setting: '', keys: {}, env: {}, demo }
const ENV = { OPENAI_API_KEY: 'sk-env' }

describe('the chosen model', () => {
  it.each([
    ['the demo without any setting', {}, 'demo/scripted', 'demo'],
    ['the local model', { local: 'ollama/qwen3' }, 'ollama/qwen3', 'environment'],
    [
      'the one for a key in the environment',
      { env: ENV, local: 'ollama/qwen3' },
      'openai/gpt-6.1-terra',
      'environment',
    ],
    [
      'the one for a key in the settings',
      { env: ENV, keys: { google: 'g' } },
      'google/gemini-3.8-flash',
      'settings',
    ],
    ['CAPSTAN_MODEL', { env: { ...ENV, CAPSTAN_MODEL: 'ollama/llama4' } }, 'ollama/llama4', 'environment'],
    [
      'the one in the settings',
      { env: { ...ENV, CAPSTAN_MODEL: 'ollama/llama4' }, setting: 'openai/gpt-6-sol' },
      'openai/gpt-6-sol',
      'settings',
    ],
    [
      'the one named at the start',
      { env: ENV, setting: 'openai/gpt-6-sol', named: 'ollama/llama4' },
      'ollama/llama4',
      'environment',
    ],
    ['the demo, by name', { env: ENV, setting: 'demo' }, 'demo/scripted', 'settings'],
  ])('is %s', (_, wishes, id, from) => {
    const choice = chooseModel({ ...NOTHING, ...wishes })
    expect(choice).toMatchObject({ client: { id }, from, isDemo: id === 'demo/scripted' })
    expect(choice.problem).toBeUndefined()
  })

  it('skips a model without a key, and the problem names the variable but no key', () => {
    const choice = chooseModel({ ...NOTHING, setting: 'anthropic/claude-sonnet-5', env: ENV })
    expect(choice).toMatchObject({ client: { id: 'openai/gpt-6.1-terra' } })
    expect(choice.problem).toContain('ANTHROPIC_API_KEY')
    expect(choice.problem).not.toContain('sk-env')
  })
})
