import { createSession, defineTool } from '@capstan/harness'
import { z } from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'The weather in a city, now.',
  input: z.object({ city: z.string() }),
  effect: 'read',
  run: ({ city }) => `${city}: 7 °C, light rain`,
})
const { CAPSTAN_MODEL, OPENAI_API_KEY } = process.env
if (!CAPSTAN_MODEL && !OPENAI_API_KEY) {
  console.error('Set OPENAI_API_KEY, or name another model: CAPSTAN_MODEL=ollama/llama4')
  process.exit(1)
}
const session = createSession({ model: CAPSTAN_MODEL || 'openai/gpt-5', tools: [weather] })
const outcome = await session.send('Do I need an umbrella in Oslo?')
console.log(outcome.text)
