import { createSession, defineTool } from '@capstan/harness'
import { z } from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'The weather in a city, now.',
  input: z.object({ city: z.string() }),
  effect: 'read',
  run: ({ city }) => `${city}: 7 °C, light rain`,
})

const session = createSession({ model: process.env['CAPSTAN_MODEL'] ?? 'openai/gpt-5', tools: [weather] })
const outcome = await session.send('Do I need an umbrella in Oslo?')
console.log(outcome.text)
