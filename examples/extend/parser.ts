// A parser reads calls out of a reply. This one is for a model that writes each call on a line of its own: `> name {json}`.
import { createSession, defineTool } from '@capstan/harness'
import type { JsonObject, ParsedCall, ResponseParser } from '@capstan/harness/seams'
import { toJsonSchema } from '@capstan/harness/seams'
import { ScriptedModel, says } from '@capstan/harness/testing'
import { z } from 'zod'

const CALL = /^> (\w+) (.*)$/

const lineParser: ResponseParser = {
  dialect: 'xml', // a dialect of text: the provider is not given any tools
  instructions(tools) {
    const list = tools.map(({ name, description, input }) => {
      return `- ${name}: ${description} Arguments: ${JSON.stringify(toJsonSchema(input))}`
    })
    return ['To use a tool, write a line: > name {"argument": "value"}', ...list].join('\n')
  },
  parse({ text }) {
    const lines = text.split('\n')
    const isCall = (line: string) => CALL.test(line)
    return {
      text: lines.filter((line) => !isCall(line)).join('\n'),
      calls: lines.filter(isCall).map(toCall),
    }
  },
}

/** Arguments that cannot be read are reported to the model; nothing runs. */
function toCall(line: string): ParsedCall {
  const [, tool = '', raw = ''] = CALL.exec(line) ?? []
  try {
    return { tool, arguments: JSON.parse(raw) as JsonObject }
  } catch (error) {
    return { tool, arguments: {}, malformed: { raw, problem: String(error) } }
  }
}

const tide = defineTool({
  name: 'tide',
  description: 'Tells the next high tide.',
  input: z.object({ port: z.string() }),
  effect: 'read',
  run: ({ port }) => `${port}: 18:40`,
})

const model = ScriptedModel.with(
  { abilities: { tools: false } },
  says('I look it up.\n> tide {"port": "Bergen"}'),
  says('The next high tide in Bergen is at 18:40.'),
)
const session = createSession({ model, tools: [tide], parser: lineParser })
for await (const event of session.stream('When is high tide in Bergen?')) {
  if (event.type === 'tool-end') console.log(`${event.tool}: ${event.output}`)
  if (event.type === 'turn-end') console.log(event.outcome.text)
}
console.log(model.request(0).system.split('\n')[0])
