// A tool source offers the tools that exist now. A tool that appears during a turn can be used by that turn, and a
// source that fails keeps the tools it had.
import type { Tool } from '@capstan/harness'
import { createSession, createToolSource, defineTool } from '@capstan/harness'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'
import { z } from 'zod'

const plugins = new Map<string, Tool>()
let isBroken = false

const install = defineTool({
  name: 'install',
  description: 'Installs a plugin.',
  input: z.object({ plugin: z.string() }),
  effect: 'read',
  run({ plugin }) {
    plugins.set(plugin, convert)
    return `${plugin} is installed.`
  },
})
const convert = defineTool({
  name: 'convert',
  description: 'Converts miles to kilometres.',
  input: z.object({ miles: z.number() }),
  effect: 'read',
  run({ miles }) {
    isBroken = true // from here on the source cannot list its plugins
    return `${(miles * 1.609344).toFixed(1)} km`
  },
})

const tools = createToolSource(() => {
  if (isBroken) throw new Error('the plugin folder cannot be read')
  return [install, ...plugins.values()]
})

const model = new ScriptedModel(
  calls('install', { plugin: 'units' }),
  calls('call_tool', { name: 'convert', arguments: { miles: 26.2 } }),
  says('A marathon is 42.2 km.'),
)
const session = createSession({ model, tools })
for await (const event of session.stream('How long is a marathon in km?')) {
  if (event.type === 'notice-add') console.log(`notice: ${event.text.split(':')[0]}`)
  if (event.type === 'tool-end') console.log(`${event.tool}: ${event.output}`)
  if (event.type === 'surface-stale') console.log(`stale: ${event.reason}`)
  if (event.type === 'turn-end') console.log(event.outcome.text)
}
console.log(
  `tools sent with every request: ${model
    .request(2)
    .tools.map(({ name }) => name)
    .join(', ')}`,
)
