import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setImmediate as nextTask, setTimeout as sleep } from 'node:timers/promises'
import type { Tool, ToolContext } from '@capstan/harness'
import { defineTool } from '@capstan/harness'
import { createRandom } from './random.ts'
import { TOOLS } from './scenario.ts'

/** An effect on the outside that cannot be undone. */
export interface Effect {
  readonly tool: string
  readonly tag: string
  /** The idempotency key of the call. */
  readonly key: string
  /** The node that asked for it, and when its request arrived. Unknown where there is one process only. */
  readonly node?: string
  readonly at?: number
}

/** Adds an effect. */
export const noteEffect = (path: string, effect: Effect): void =>
  appendFileSync(path, `${JSON.stringify(effect)}\n`)

/** All effects so far. */
export function readEffects(path: string): readonly Effect[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Effect)
}

/**
 * Tools with effects: each effect is a line in a file, which survives every crash. `pay` runs once per idempotency key;
 * the others run at every call.
 */
export function createServices(path: string): readonly Tool[] {
  const paid = new Set(readEffects(path).map(({ key }) => key))
  const input = { type: 'object', properties: { tag: { type: 'string' } }, required: ['tag'] } as const
  const write = (name: string, honoursKey: boolean) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      input,
      effect: 'write',
      honoursKey,
      async run(args, { idempotencyKey: key }: ToolContext) {
        const tag = args['tag'] as string // the schema has been checked
        await think(tag)
        if (honoursKey && paid.has(key)) return `${name} ${tag} was done before`
        noteEffect(path, { tool: name, tag, key })
        paid.add(key)
        await think(`${tag} done`)
        return `${name} ${tag} is done`
      },
    })
  const look = defineTool({
    name: TOOLS.read,
    description: 'Looks.',
    input,
    effect: 'read',
    async run(args) {
      const tag = args['tag'] as string
      await think(tag)
      return `looked at ${tag}`
    },
  })
  return [look, write(TOOLS.write, false), write(TOOLS.keyed, true), write(TOOLS.asked, false)]
}

/** Takes a moment, so that a kill can come in the middle of a call. */
export async function think(name: string): Promise<void> {
  const random = createRandom(name)
  if (random.chance(0.2)) await nextTask()
  else await sleep(random.int(1, 4))
}
