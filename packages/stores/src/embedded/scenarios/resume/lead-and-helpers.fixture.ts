import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createThreads, defineTool } from '@capstan/harness'
import { fromIterable, withoutFrame } from '@capstan/harness/models'
import { callsOf } from '@capstan/harness/seams'
import type { AgentDefinition, ModelClient, Threads, ThreadsOptions } from '@capstan/harness'
import type { ModelPart } from '@capstan/harness/models'
import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'

export const THREAD = 'thread_1' as ThreadId

/** What was asked of the world, and under which key. */
export interface Effect {
  readonly args: unknown
  readonly key: string
}

/** What `send` really did, whichever process it ran in. */
export function readEffects(folder: string): readonly Effect[] {
  const path = join(folder, 'effects.jsonl')
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Effect)
}

const USAGE = {
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0.001,
}

export const MAIL = { to: 'ann@example.com', text: 'Tea at four?' }

/** The lead asks one, which asks two, which asks three, which sends; each then repeats the answer it got. */
const leadModel: ModelClient = {
  id: 'fixture/lead',
  abilities: { tools: true, images: false, files: [] },
  stream: fromIterable(async function* ({ system, messages }): AsyncGenerator<ModelPart> {
    const level = Number(/level (\d)/.exec(system)?.[1])
    // Only messages after the user's last one.
    const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
    const answer = since.find((message) => message.role === 'tool')
    if (answer) yield { type: 'text', delta: `level ${level} heard: ${withoutFrame(answer.text)}` }
    else {
      const tool = level === 3 ? 'send' : `delegate_to_helper_${level + 1}`
      const args = level === 3 ? MAIL : { prompt: 'Send it.' }
      const calls = messages.filter((message) => message.role === 'assistant' && callsOf(message).length > 0)
      const id = `call_${level}_${calls.length}`
      yield { type: 'call', id, tool, argumentsText: JSON.stringify(args) }
    }
    yield { type: 'finish', reason: answer ? 'stop' : 'tool-calls', usage: USAGE }
  }),
}

function helper(level: number): AgentDefinition {
  const agents = level < 3 ? [helper(level + 1)] : []
  return { id: `helper_${level}`, description: 'helps', instructions: `You are level ${level}.`, agents }
}

/** A lead and three generations of helpers. The last one needs an approval to send. */
export function createLeadThreads(
  store: Store,
  folder: string,
  more: Partial<Omit<ThreadsOptions, 'store' | 'agent'>> = {},
): Threads {
  const send = defineTool({
    name: 'send',
    description: 'Sends a mail.',
    input: {
      type: 'object',
      properties: { to: { type: 'string' }, text: { type: 'string' } },
      required: ['to', 'text'],
    },
    effect: 'write',
    returns: [], // a bare acknowledgement
    run(args, { idempotencyKey: key }) {
      appendFileSync(join(folder, 'effects.jsonl'), `${JSON.stringify({ args, key })}\n`)
      return 'It is sent.'
    },
  })
  return createThreads({
    store,
    ...more,
    agent: {
      model: leadModel,
      origin: 'web',
      instructions: 'You are level 0.',
      agents: [helper(1)],
      tools: [send],
    },
  })
}
