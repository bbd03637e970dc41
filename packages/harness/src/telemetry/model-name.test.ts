import { expect, it } from 'vitest'
import { toModelName } from './model-name.ts'

it.each([
  ['openai/gpt-5', { provider: 'openai', model: 'gpt-5' }],
  ['google/gemini-3', { provider: 'gcp.gemini', model: 'gemini-3' }],
  ['ollama/library/llama4', { provider: 'ollama', model: 'library/llama4' }],
  ['demo', { provider: 'unknown', model: 'demo' }],
  [
    'https://me:secret@models.example.org:8000/v1?key=secret#qwen3',
    { provider: 'openai', model: 'qwen3', server: 'models.example.org' },
  ],
  ['http://[', { provider: 'unknown', model: 'unknown' }],
])('the model %s has a provider and a name', (id, name) => {
  expect(toModelName(id)).toEqual(name)
})
