import { text } from 'node:stream/consumers'
import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Tool, ToolContext } from '@capstan/harness'
import { defineTool } from '@capstan/harness'
import { TOOLS } from '../scenario.ts'
import { think } from '../services.ts'

/** The tools of the scenario on a node: what they change is outside of all nodes. */
export function createNodeTools(url: string, node: string): readonly Tool[] {
  const input = { type: 'object', properties: { tag: { type: 'string' } }, required: ['tag'] } as const
  const write = (tool: string, honoursKey: boolean) =>
    defineTool({
      name: tool,
      description: `Does ${tool}.`,
      input,
      effect: 'write',
      honoursKey,
      run: (args, { idempotencyKey: key, signal }: ToolContext) =>
        post(url, { tool, tag: args['tag'], key, node }, signal),
    })
  const look = defineTool({
    name: TOOLS.read,
    description: 'Looks.',
    input,
    effect: 'read',
    async run(args) {
      const tag = args['tag'] as string // the schema has been checked
      await think(tag)
      return `looked at ${tag}`
    },
  })
  return [look, write(TOOLS.write, false), write(TOOLS.keyed, true), write(TOOLS.asked, false)]
}

async function post(url: string, body: object, signal: AbortSignal): Promise<string> {
  const asking = request(url, { method: 'POST', signal })
  asking.end(JSON.stringify(body))
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  return text(answer)
}
